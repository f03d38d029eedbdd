package io.loopgate.engine.virtual;

import io.loopgate.engine.Watch;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds carriers to the JVM's scheduler of virtual threads while some are stuck in system calls.
 *
 * <p>A virtual thread in a native call holds its carrier, and there is about one carrier for each
 * processor, shared by all volumes: one device that hangs would stop the others. The class library
 * adds a carrier where its own file calls may wait, by means it keeps to itself; here the target is
 * raised from outside, through the public management interface, once commands have been in their
 * call for a whole interval. It never gets above {@value #CARRIERS_MAX}, the JVM's own bound
 * ({@code jdk.virtualThreadScheduler.maxPoolSize}), and comes down when they return.
 */
final class Carriers {
  private static final Logger LOG = LoggerFactory.getLogger(Carriers.class);
  private static final int CARRIERS_MAX = 256;

  /** A stuck carrier holds up others for two of these. */
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(2);

  /** The carriers that all volumes share; after the constants, which it needs. */
  static final Carriers SHARED = new Carriers();

  private final List<VirtualThreadSchedulerMXBean> scheduler =
      ManagementFactory.getPlatformMXBeans(VirtualThreadSchedulerMXBean.class);
  private final int usual = scheduler.isEmpty() ? 0 : scheduler.getFirst().getParallelism();
  private final Watch watch = new Watch("loopgate-virtual-watch", LOOK_INTERVAL, this::look);
  private final LongAdder begun = new LongAdder();
  private final LongAdder ended = new LongAdder();

  private long endedAtLook;
  private long runningAtLook;

  private Carriers() {}

  /** Tells whether carriers can be added. */
  boolean canGrow() {
    return !scheduler.isEmpty();
  }

  /** Returns how many there are while none is stuck; 0 if nobody knows. */
  int usual() {
    return usual;
  }

  /** Looks after the carriers from now on. For control threads. */
  void start() {
    if (canGrow()) {
      watch.start();
    }
  }

  /** A command may go into a system call. */
  void begun() {
    begun.increment();
    watch.wake();
  }

  /** It came back. */
  void ended() {
    ended.increment();
  }

  private boolean look() {
    long endedNow = ended.sum();
    long running = begun.sum() - endedNow;
    // At least so many of those that ran at the last look still run, whichever they are.
    long stuck = Math.max(0, runningAtLook - (endedNow - endedAtLook));
    endedAtLook = endedNow;
    runningAtLook = running;
    provide(stuck);
    return running > 0;
  }

  private void provide(long stuck) {
    VirtualThreadSchedulerMXBean target = scheduler.getFirst();
    // Twice as many, since those that come to run next may well get stuck too.
    int carriers = (int) Math.min(CARRIERS_MAX, usual + 2 * stuck);
    if (target.getParallelism() != carriers) {
      target.setParallelism(carriers);
    }
    if (stuck > 0 && target.getQueuedVirtualThreadCount() > 0 && target.getPoolSize() < carriers) {
      callCarrier();
    }
  }

  /**
   * The scheduler makes a carrier when something is put into an empty queue, and a thread always
   * uses the same queue, which may be stuck: a fresh thread most likely finds an empty one.
   */
  private static void callCarrier() {
    try {
      var _ =
          Thread.ofPlatform()
              .name("loopgate-virtual-call")
              .daemon(true)
              .start(() -> Thread.startVirtualThread(() -> {}));
    } catch (OutOfMemoryError e) {
      LOG.error("no thread to call a carrier with", e);
    }
  }
}
