package io.loopgate.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.loopgate.bench.contender.Contender;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.shape.HttpShapes;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Workload;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerOptionsTest {
  private static final long SIZE_BYTES = 64 << 20;

  private final HttpShapes shapes = new HttpShapes(SIZE_BYTES);
  private final Place place = new Place(Path.of("work"), "", List.of("/opt/loopgate"), new Stop());
  private final Peers peers =
      new Peers(place, new Clients(false, Path.of("clients"), 1, line -> {}));

  private Workload shape(String name) {
    return shapes.named(name).getFirst().workload();
  }

  @Test
  void optionsOfAVolumeGoThereAndOthersToTheServer() {
    LoopgatePeer peer =
        new LoopgatePeer(
            PeerOptions.parse(
                "loopgate/transport=io_uring/engine=workers:4/direct=on/event-loops=2/protocol=h2"),
            0);
    assertThat(peer.command(Path.of("/a.img"), Path.of("/d"), shape("get4k-16"), place))
        .containsExactly(
            "/opt/loopgate",
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--admin",
            "127.0.0.1:0",
            "--data-dir",
            "/d",
            "--volume",
            "bench=/a.img,engine=workers:4,direct=on",
            "--warm-up",
            "0s",
            "--transport",
            "io_uring",
            "--event-loops",
            "2");
    assertThat(peer.of(shape("get4k-16")).wire().orElseThrow().protocol().word()).isEqualTo("h2");
  }

  @Test
  void aDirectShapeMakesTheVolumeDirectUnlessItsTextSaysOtherwise() {
    Workload cold = shape("get4k-cold-direct");
    assertThat(command("loopgate", cold)).contains("bench=/a.img,direct=on");
    assertThat(command("loopgate/direct=off", cold)).contains("bench=/a.img,direct=off");
  }

  private List<String> command(String text, Workload workload) {
    return new LoopgatePeer(PeerOptions.parse(text), 0)
        .command(Path.of("/a.img"), Path.of("/d"), workload, place);
  }

  @Test
  void eachLoopgateHasAFileOfItsOwnAndAllOthersShareTheFirst() {
    Workload workload = shape("get4k-16");
    List<Contender> contenders =
        peers.parse(List.of("nginx", "loopgate", "nbdkit", "loopgate/engine=single"));
    Target first = workload.target();
    assertThat(contenders)
        .extracting(each -> each.of(workload).target().equals(first))
        .containsExactly(true, true, true, false);
  }

  @Test
  void commandsOfAShapeAreDividedOverOtherConnections() {
    Contender one = peers.parse(List.of("nbdkit/connections=1")).getFirst();
    assertThat(one.of(shape("put4k-writeback")).access().depth()).isEqualTo(16);
    assertThat(one.of(shape("put4k-writeback")).access().jobs()).isEqualTo(1);
    Contender three = peers.parse(List.of("nbdkit/connections=3")).getFirst();
    assertThatIllegalArgumentException().isThrownBy(() -> three.of(shape("put4k-writeback")));
  }

  @Test
  void whatAServerCannotDoIsSaid() {
    NginxPeer nginx = new NginxPeer(PeerOptions.parse("nginx"));
    assertThat(nginx.unfit(shape("put4k-durable"))).hasValue("nginx only reads");
    assertThat(nginx.unfit(shape("queue-read1"))).isPresent();
    assertThat(nginx.unfit(shape("getall"))).isEmpty();
    NbdkitPeer nbdkit = new NbdkitPeer(PeerOptions.parse("nbdkit"));
    assertThat(nbdkit.unfit(shape("get4k-cold-direct"))).isPresent();
    assertThat(nbdkit.unfit(shapes.named("get4k-rate").getFirst().at(5).workload())).isPresent();
    assertThat(nbdkit.unfit(shape("queue-write16"))).isEmpty();
  }

  @Test
  void wrkHasRangesOneAfterTheOther() {
    WrkClient wrk = new WrkClient(Path.of("clients"), 1);
    assertThat(wrk.unfit(shape("getall"))).isPresent();
    assertThat(wrk.unfit(shape("queue-read1"))).isPresent();
    assertThat(wrk.unfit(shapes.named("get4k-rate").getFirst().at(5).workload())).isPresent();
  }

  @Test
  void theSummaryOfWrkIsRead() {
    String out =
        "Running 2s test\nsummary {\"requests\": 300, \"seconds\": 2.000000, \"errors\": 0,"
            + " \"p50Micros\": 10, \"p99Micros\": 20, \"p999Micros\": 30, \"maxMicros\": 40}\n";
    var measurement = WrkClient.parse(out, shape("put4k-durable").access());
    assertThat(measurement.iops()).isEqualTo(150);
    assertThat(measurement.writtenBytes()).isEqualTo(300 * 4096);
    assertThat(measurement.latency().p999Micros()).isEqualTo(30);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                WrkClient.parse(
                    out.replace("\"errors\": 0", "\"errors\": 3"), shape("get1m").access()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WrkClient.parse("Running", shape("get1m").access()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "apache",
        "nginx/",
        "nginx/sendfile",
        "nginx/sendfile=maybe",
        "nginx/sendfile=on/sendfile=off",
        "nginx/aio=native",
        "nginx/workers=0",
        "nginx/engine=aio",
        "nbdkit/threads=x",
        "nbdkit/cache=none",
        "qemu-nbd/cache=directsync",
        "qemu-nbd/aio=native",
        "loopgate/protocol=h3",
        "fio:mmap"
      })
  void whatMeansNothingIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> peers.parse(List.of(text)));
  }

  @Test
  void everyContenderOfEveryShapeIsOne() {
    assertThat(shapes.names())
        .containsExactly(
            "get4k",
            "get1m",
            "getall",
            "get4k-cold-direct",
            "get4k-cold-direct-128",
            "put4k-writeback",
            "put4k-durable",
            "queue-read16",
            "queue-write16",
            "queue-read1",
            "get4k-rate");
    for (String name : shapes.names()) {
      shapes
          .named(name)
          .forEach(shape -> assertThat(peers.parse(shape.contenders())).hasSizeGreaterThan(1));
    }
    assertThat(shapes.named("get4k"))
        .extracting(shape -> shape.workload().name())
        .containsExactly("get4k-1", "get4k-16", "get4k-64");
  }
}
