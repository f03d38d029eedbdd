package io.loopgate.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.Support;
import io.loopgate.layer.NowaitMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FastPathTest {
  private static final Support READS = Support.yes("reads do");
  private static final Support WRITES = Support.no("writes do not");
  private static final Support THREADS = Support.no("engine workers calls the kernel and waits");
  private static final Support KERNEL = Support.yes("submitted from the event loop");

  private static BackingCapabilities backing(boolean direct) {
    Support no = Support.no("not asked for");
    Support directIo = direct ? Support.yes("in units of 512") : no;
    return new BackingCapabilities(READS, WRITES, directIo, no, no, no, no, no, false);
  }

  @ParameterizedTest
  @EnumSource(names = {"ALWAYS", "AUTO"})
  void aBufferedVolumeHasWhatTheFileTakesWhateverTheEngine(NowaitMode mode) {
    FastPath expected = new FastPath(true, false, "reads: reads do; writes: writes do not");
    assertThat(FastPath.of(mode, backing(false), THREADS)).isEqualTo(expected);
    assertThat(FastPath.of(mode, backing(false), KERNEL)).isEqualTo(expected);
  }

  @Test
  void aBufferedVolumeWithoutTheLayerHasNone() {
    assertThat(FastPath.of(NowaitMode.OFF, backing(false), KERNEL))
        .isEqualTo(new FastPath(false, false, "nowait is off"));
  }

  @ParameterizedTest
  @EnumSource
  void aDirectVolumeHasWhatTheFileTakesIfTheEngineIsAsynchronous(NowaitMode mode) {
    assertThat(FastPath.of(mode, backing(true), KERNEL))
        .isEqualTo(
            new FastPath(
                true,
                false,
                "submitted from the event loop; reads: reads do; writes: writes do not"));
  }

  @Test
  void joinedSegmentsHaveWhatAllOfThemHave() {
    FastPath both = new FastPath(true, true, "both");
    FastPath reads = new FastPath(true, false, "reads");
    assertThat(FastPath.joined(List.of(both, both), List.of("a", "b"))).isEqualTo(both);
    assertThat(FastPath.joined(List.of(both, reads), List.of("a", "b")))
        .isEqualTo(new FastPath(true, false, "a: both; b: reads"));
  }

  @ParameterizedTest
  @EnumSource
  void aDirectVolumeWithAnEngineOfThreadsHasNone(NowaitMode mode) {
    FastPath found = FastPath.of(mode, backing(true), THREADS);
    assertThat(found.read()).isFalse();
    assertThat(found.write()).isFalse();
    assertThat(found.reason())
        .contains("engine workers calls the kernel and waits", "aio and uring submit it");
  }
}
