package io.loopgate.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Rw;
import io.loopgate.block.Errno;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTest {
  private static final int BLOCK = 4096;

  private final ManualLoop loop = new ManualLoop();
  private final ManualEngine engine = new ManualEngine();
  private final LoopMeter meter = new LoopMeter();
  private final List<String> failures = new ArrayList<>();
  private int idle;

  private Job job(int depth) {
    Access access = Access.of(Rw.RANDREAD, BLOCK, depth, 1, false, Cache.HOT);
    Offsets offsets = new Offsets(access, 1000L * BLOCK, 0, 1);
    return new Job(loop, engine, meter, offsets, depth, 0, BLOCK, failures::add, () -> idle++);
  }

  @Test
  void commandsThatEndInsideSubmitDoNotNestAndLeaveTheLoopTimeForOthers() {
    Job job = job(1);
    job.start();
    assertThat(engine.submitted).isEqualTo(64);
    assertThat(engine.deepest).isEqualTo(1);
    assertThat(loop.tasks).hasSize(1);
    loop.turn();
    assertThat(engine.submitted).isEqualTo(128);
    assertThat(meter.counts().reads()).isEqualTo(128);
  }

  @Test
  void theDepthIsKeptFull() {
    engine.holds = true;
    Job job = job(4);
    job.start();
    assertThat(engine.held).hasSize(4);
    for (int i = 0; i < 100; i++) {
      engine.endOne();
      assertThat(engine.held).hasSize(4);
    }
    assertThat(loop.tasks).isEmpty();
    assertThat(meter.counts().readBytes()).isEqualTo(100L * BLOCK);
    assertThat(meter.counts().latencyNanos().getTotalCount()).isEqualTo(100);
  }

  @Test
  void aStoppedJobIsIdleOnceWhenItsLastCommandHasEnded() {
    engine.holds = true;
    Job job = job(2);
    job.start();
    job.stop();
    assertThat(idle).isZero();
    engine.endOne();
    assertThat(idle).isZero();
    engine.endOne();
    assertThat(idle).isEqualTo(1);
    assertThat(engine.submitted).isEqualTo(2);
  }

  @Test
  void stoppingWhileTheJobLetsOthersRunIsIdleOnce() {
    Job job = job(1);
    job.start();
    job.stop();
    loop.turn();
    assertThat(idle).isEqualTo(1);
    assertThat(engine.submitted).isEqualTo(64);
  }

  @Test
  void anErrorStopsTheJobAndHasAName() {
    engine.result = request -> -Errno.EIO;
    Job job = job(8);
    job.start();
    assertThat(failures).containsExactly("READ failed with EIO");
    assertThat(engine.submitted).isEqualTo(1);
    job.stop();
    assertThat(idle).isEqualTo(1);
  }

  @Test
  void aShortResultIsAnErrorToo() {
    engine.result = request -> 512;
    job(1).start();
    assertThat(failures).containsExactly("READ failed with a length of 512 bytes");
  }

  @Test
  void aRefusedCommandFailsTheJob() {
    engine.full = true;
    Job job = job(1);
    job.start();
    assertThat(failures).singleElement().asString().contains("refused");
    job.stop();
    assertThat(idle).isEqualTo(1);
  }

  @Test
  void aResetMeterBeginsAnew() {
    Job job = job(1);
    job.start();
    meter.reset();
    assertThat(meter.counts().reads()).isZero();
    assertThat(meter.counts().latencyNanos().getTotalCount()).isZero();
    job.stop();
  }
}
