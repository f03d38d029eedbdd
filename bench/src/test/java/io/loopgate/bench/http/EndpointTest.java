package io.loopgate.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.loopgate.bench.shape.Protocol;
import io.loopgate.bench.shape.Wire;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
  private static final Wire QUEUE = Wire.closed(Protocol.QUEUE, true);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://h:81/v1/volumes/disk0",
        "http://h:81/v1/volumes/disk0/",
        "http://h:81/v1/volumes/disk0/data"
      })
  void aVolumeHasDataAndAQueue(String url) {
    Endpoint endpoint = Endpoint.parse(url);
    assertThat(endpoint.url()).isEqualTo("http://h:81/v1/volumes/disk0/data");
    assertThat(endpoint.urlOf(QUEUE)).isEqualTo("http://h:81/v1/volumes/disk0/queue");
    assertThat(endpoint.writeTarget(true)).isEqualTo("/v1/volumes/disk0/data?flush=y");
    assertThat(endpoint.writeTarget(false)).isEqualTo("/v1/volumes/disk0/data?flush=n");
  }

  @Test
  void aFileHasNoQueue() {
    Endpoint endpoint = Endpoint.parse("http://h/images/a.img");
    assertThat(endpoint.url()).isEqualTo("http://h:80/images/a.img");
    assertThatIllegalArgumentException().isThrownBy(() -> endpoint.urlOf(QUEUE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "h:81", "https://h/x", "http://", "http://h/x?y=z", "http:// h/x"})
  void whatIsNoUrlIsRefused(String url) {
    assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.parse(url));
  }
}
