package io.loopgate.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockOp;
import io.loopgate.telemetry.VolumeTelemetry;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class VolumeLedgerTest {
  private final VolumeLedger ledger = new VolumeLedger(2);
  private final VolumeTelemetry a = counted("a");
  private final VolumeTelemetry b = counted("b");
  private final VolumeTelemetry c = counted("c");
  private final VolumeTelemetry d = counted("d");

  private static VolumeTelemetry counted(String id) {
    VolumeTelemetry telemetry = new VolumeTelemetry(id);
    telemetry.commandEnded(BlockOp.READ, 1);
    telemetry.queueWaitNanos(1_000);
    telemetry.flushEnded(1_000, 1, false);
    return telemetry;
  }

  private VolumeLedger.Page turn(VolumeTelemetry... volumes) {
    return ledger.turn(List.of(volumes), List.of());
  }

  private static long reads(VolumeLedger.Page page, String label) {
    return Objects.requireNonNull(page.byVolume().get(label)).commands(BlockOp.READ);
  }

  @Test
  void sumsDoNotFallWhenAVolumeGoes() {
    assertThat(turn(a, b).all().queueWait().snapshot().count()).isEqualTo(2);
    a.queueWaitNanos(1_000);
    VolumeLedger.Page page = turn(b);
    assertThat(page.byVolume()).containsOnlyKeys("b");
    assertThat(page.all().queueWait().snapshot().count()).isEqualTo(3);
    assertThat(page.all().syncTime().snapshot().count()).isEqualTo(2);
    assertThat(turn().all().queueWait().snapshot().count()).isEqualTo(3);
  }

  @Test
  void otherIsASumThatDoesNotFall() {
    assertThat(turn(a, b, c, d).byVolume()).containsOnlyKeys("a", "b", "other");
    assertThat(reads(turn(a, b, c, d), "other")).isEqualTo(2);
    assertThat(reads(turn(a, b, c), "other")).isEqualTo(2);
    assertThat(reads(turn(a, b), "other")).isEqualTo(2);
  }

  @Test
  void aVolumeKeepsItsLabelWhileItLives() {
    turn(b, c, d);
    assertThat(ledger.label("d")).isEqualTo("other");
    VolumeLedger.Page page = turn(a, c, d);
    assertThat(page.byVolume()).containsOnlyKeys("a", "c", "other");
    assertThat(ledger.label("d")).isEqualTo("other");
  }

  @Test
  void aVolumeOpenedAgainCountsOnInTheSums() {
    turn(a);
    VolumeLedger.Page page = turn(counted("a"));
    assertThat(reads(page, "a")).isEqualTo(1);
    assertThat(page.all().commands(BlockOp.READ)).isEqualTo(2);
  }

  @Test
  void aVolumeCalledOtherIsPartOfTheSum() {
    assertThat(turn(a, counted("other")).byVolume()).containsOnlyKeys("a", "other");
    assertThat(reads(turn(a, b, c), "other")).isEqualTo(2);
  }

  @Test
  void aVolumeWithoutCountersYetHasSeries() {
    VolumeStatus status = FakeSource.status("new", "", "paused", false);
    assertThat(ledger.turn(List.of(), List.of(status)).byVolume()).containsOnlyKeys("new");
  }
}
