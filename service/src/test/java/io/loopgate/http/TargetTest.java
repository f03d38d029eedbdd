package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TargetTest {
  private static Target of(String path) {
    return Target.of(path).orElseThrow();
  }

  @Test
  void namesEveryResource() {
    assertThat(of("/v1")).isEqualTo(new Target.Index());
    assertThat(of("/v1/")).isEqualTo(new Target.Index());
    assertThat(of("/v1/volumes")).isEqualTo(new Target.Volumes());
    assertThat(of("/v1/volumes/")).isEqualTo(new Target.Volumes());
    assertThat(of("/v1/volumes/a")).isEqualTo(new Target.Document("a"));
    assertThat(of("/v1/volumes/a/")).isEqualTo(new Target.Document("a"));
    assertThat(of("/v1/volumes/a/data")).isEqualTo(new Target.Data("a"));
    assertThat(of("/v1/volumes/a/blocks/7")).isEqualTo(new Target.Blocks("a", "7"));
    assertThat(of("/v1/volumes/a/extents")).isEqualTo(new Target.Extents("a"));
    assertThat(of("/v1/volumes/a/checksum")).isEqualTo(new Target.Checksum("a"));
    assertThat(of("/v1/volumes/a/flush")).isEqualTo(new Target.Flush("a"));
    assertThat(of("/v1/objects/a_512_1024")).isEqualTo(new Target.ObjectWindow("a", 512, 1024));
    assertThat(of("/openapi.yaml")).isEqualTo(new Target.OpenApi());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/v2",
        "/v1x",
        "/V1",
        "//v1",
        "/v1/volumes/a/data/",
        "/v1/volumes/a/data/x",
        "/v1/volumes/a//data",
        "/v1/volumes/a/%64ata",
        "/v1/volumes/a/Data",
        "/v1/volumes/a/blocks",
        "/v1/volumes/a/blocks/",
        "/v1/volumes/a/blocks/1/2",
        "/v1/volumes/a/../b/data",
        "/v1/volumes/../etc/passwd",
        "/v1/objects/",
        "/v1/objects/a",
        "/v1/objects/a_1",
        "/v1/objects/_1_2",
        "/v1/objects/a_-1_2",
        "/v1/objects/a_1_x",
        "/v1/objects/a__2",
        "/v1/objects/a_1_",
        "*"
      })
  void findsNothingElse(String path) {
    assertThat(Target.of(path)).isEmpty();
  }

  @Test
  void takesTheMethodsItAllows() {
    Target data = of("/v1/volumes/a/data");
    assertThat(List.of("OPTIONS", "HEAD", "GET", "PUT", "PATCH")).allMatch(data::takes);
    assertThat(List.of("DELETE", "POST", "PU", "UT", "GE", "T", "get", ",")).noneMatch(data::takes);
    assertThat(of("/v1/volumes/a/flush").allow()).isEqualTo("POST");
    for (String path : List.of("/v1", "/v1/volumes", "/v1/volumes/a", "/v1/volumes/a/extents")) {
      assertThat(of(path).takes("GET") && of(path).takes("HEAD")).isTrue();
    }
  }
}
