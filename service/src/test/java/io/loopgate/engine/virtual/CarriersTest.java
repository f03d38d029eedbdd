package io.loopgate.engine.virtual;

import static io.loopgate.sys.LinuxConstants.LOCK_EX;
import static io.loopgate.sys.LinuxConstants.LOCK_UN;
import static io.loopgate.sys.LinuxConstants.O_RDWR;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DelegatingBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.engine.Await;
import io.loopgate.engine.CompletionQueue;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.LoopEngine;
import io.loopgate.sys.AlignedMemory;
import io.loopgate.sys.SystemCalls;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Volumes on virtual threads whose device hangs in the kernel, where a carrier is stuck with it.
 */
class CarriersTest {
  private static final int STUCK = 24;

  private final SystemCalls calls = SystemCalls.instance();
  private final Path folder = BackingFixture.directory();
  private final Path image = folder.resolve("image.raw");
  private final CompletionSink home = new CompletionQueue(0, Runnable::run);
  private final AtomicInteger stuckEnded = new AtomicInteger();
  private final AtomicInteger healthyEnded = new AtomicInteger();
  private final VirtualThreadSchedulerMXBean scheduler =
      ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
  private Backing file;
  private int holder;

  @BeforeEach
  void open() {
    FileBackings.create(image, 1 << 20);
    file = FileBackings.open(image, new OpenOptions(false, false, 512));
    Path lock = folder.resolve("lock");
    FileBackings.create(lock, 4096);
    holder = (int) calls.open(lock.toString(), O_RDWR, 0);
    assertThat(calls.flock(holder, LOCK_EX)).isZero();
  }

  @AfterEach
  void close() throws IOException {
    calls.close(holder);
    file.close();
    Files.delete(folder.resolve("lock"));
    Files.delete(image);
    Files.delete(folder);
  }

  /** Commands hang in a system call until the lock is given back. */
  private final class Hanging extends DelegatingBacking {
    Hanging() {
      super(file);
    }

    @Override
    public long execute(BlockRequest request) {
      int fd = (int) calls.open(folder.resolve("lock").toString(), O_RDWR, 0);
      calls.flock(fd, LOCK_EX);
      calls.close(fd);
      return super.execute(request);
    }
  }

  private static LoopEngine engine(Backing backing, String volume) {
    return new EngineSelector()
        .open(
            "virtual:32",
            new EngineEnvironment(
                volume, backing, 64, false, List.of(), new VolumeTelemetry(volume)))
        .engine();
  }

  private void submitRead(LoopEngine engine, AlignedMemory memory, AtomicInteger ended) {
    BlockRequest request =
        new BlockRequest(home)
            .prepare(
                BlockOp.READ,
                0,
                4096,
                memory.address(),
                0,
                BlockRequest.NO_DEADLINE,
                (again, result) -> {
                  if (result == 4096) {
                    ended.incrementAndGet();
                  }
                });
    assertThat(engine.submit(request)).isTrue();
  }

  @Test
  void aDeviceThatHangsStopsNoOtherVolume() {
    int usual = scheduler.getParallelism();
    assertThat(usual).isLessThan(STUCK);
    AlignedMemory memory = AlignedMemory.allocate(4096, 4096);
    LoopEngine hanging = engine(new Hanging(), "hanging");
    LoopEngine healthy = engine(file, "healthy");
    try {
      for (int i = 0; i < STUCK; i++) {
        submitRead(hanging, memory, stuckEnded);
      }
      for (int i = 1; i <= 200; i++) {
        int count = i;
        submitRead(healthy, memory, healthyEnded);
        Await.until(count + " ended", () -> healthyEnded.get() == count);
      }
      assertThat(stuckEnded.get()).isZero();
      assertThat(scheduler.getParallelism()).isBetween(STUCK, 256);
      assertThat(calls.flock(holder, LOCK_UN)).isZero();
      Await.until("all ended", () -> stuckEnded.get() == STUCK);
      Await.until("as usual again", () -> scheduler.getParallelism() == usual);
    } finally {
      // In this order: memory that a command still reads into must not go.
      calls.flock(holder, LOCK_UN);
      hanging.close();
      healthy.close();
      memory.close();
    }
  }
}
