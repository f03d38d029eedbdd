package io.loopgate.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.loopgate.bench.load.LoopTransport;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Fill;
import io.loopgate.bench.shape.Rw;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Workload;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.EngineSelector;
import io.loopgate.layer.NowaitMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineSetupTest {
  private static final EngineSetup DEFAULTS =
      new EngineSetup(
          "", "", EngineOptions.DEFAULT, NowaitMode.AUTO, LoopTransport.EPOLL, 2, "", 0);

  @Test
  void anEngineAloneRunsAsTheRest() {
    EngineSetup setup = DEFAULTS.parse("workers:4");
    assertThat(setup.name()).isEqualTo("workers:4");
    assertThat(setup.engine()).isEqualTo("workers:4");
    assertThat(setup.options()).isEqualTo(EngineOptions.DEFAULT);
    assertThat(setup.loops()).isEqualTo(2);
  }

  @Test
  void whatStandsBehindItIsForThisEngineOnly() {
    String text =
        "aio/queues=4/depth=64/merge=off/punt=on/nowait=off/transport=io_uring/loops=3/cpus=0-1/parts=3";
    EngineSetup setup = DEFAULTS.parse(text);
    assertThat(setup)
        .isEqualTo(
            new EngineSetup(
                text,
                "aio",
                new EngineOptions(4, 64, false, true),
                NowaitMode.OFF,
                LoopTransport.IO_URING,
                3,
                "0-1",
                3));
  }

  @Test
  void partsAreForTheFilesOfThisEngineOnly() {
    Target file = new Target.Image(64 << 20, Fill.WRITTEN, false);
    Access access = Access.of(Rw.RANDREAD, 4096, 128, 1, true, Cache.COLD);
    Workload workload = new Workload("one", file, access);
    EngineSelector engines = new EngineSelector();
    assertThat(new EngineContender(DEFAULTS.parse("aio"), engines).of(workload))
        .isEqualTo(workload);
    assertThat(new EngineContender(DEFAULTS.parse("aio/parts=3"), engines).of(workload))
        .isEqualTo(new Workload("one", new Target.Linear(3, 21 << 20), access));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "aio/queues",
        "aio/queues=x",
        "aio/queues=-1",
        "aio/depth=0",
        "aio/loops=0",
        "aio/parts=-1",
        "aio/merge=yes",
        "aio/nowait=maybe",
        "aio/transport=kqueue",
        "aio/colour=red",
        "aio/"
      })
  void whatMeansNothingIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> DEFAULTS.parse(text));
  }

  @Test
  void contendersAreEnginesOrPeers() {
    Contenders contenders = new Contenders(DEFAULTS);
    List<String> texts =
        List.of("single", "fio:psync", "loopdev:direct", "loopdev:buffered", "no-such/loops=1");
    assertThat(contenders.parse(texts)).extracting(Contender::name).isEqualTo(texts);
  }

  @Test
  void aContenderThatComesTwiceIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Contenders(DEFAULTS).parse(List.of("single", "single")))
        .withMessageContaining("once");
  }

  @Test
  void anEngineThatFioDoesNotHaveIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Contenders(DEFAULTS).parse(List.of("fio:mmap")))
        .withMessageContaining("psync, libaio, io_uring");
  }

  @Test
  void peersSuitTheDepth() {
    assertThat(Contenders.peersOf(Access.of(Rw.READ, 4096, 1, 1, true, Cache.COLD)))
        .containsExactly("fio:psync", "fio:io_uring", "loopdev:direct", "loopdev:buffered");
    assertThat(Contenders.peersOf(Access.of(Rw.READ, 4096, 8, 1, true, Cache.COLD)))
        .contains("fio:libaio")
        .doesNotContain("fio:psync");
  }
}
