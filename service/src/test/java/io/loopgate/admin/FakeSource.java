package io.loopgate.admin;

import io.loopgate.telemetry.VolumeTelemetry;
import io.vertx.core.Context;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A process that tests can bring into any state. */
final class FakeSource implements StatusSource {
  final List<VolumeStatus> volumes = new CopyOnWriteArrayList<>();
  final List<VolumeTelemetry> telemetry = new CopyOnWriteArrayList<>();
  volatile Lifecycle lifecycle = Lifecycle.READY;
  volatile CountDownLatch volumesGate = new CountDownLatch(0);
  volatile CountDownLatch telemetryGate = new CountDownLatch(0);
  volatile CountDownLatch telemetryEntered = new CountDownLatch(1);
  volatile boolean blockedEventLoop;

  @Override
  public Lifecycle lifecycle() {
    return lifecycle;
  }

  @Override
  public List<VolumeStatus> volumes() {
    pass(volumesGate);
    return volumes;
  }

  @Override
  public List<VolumeTelemetry> telemetry() {
    telemetryEntered.countDown();
    pass(telemetryGate);
    return telemetry;
  }

  private void pass(CountDownLatch gate) {
    blockedEventLoop |= Context.isOnEventLoopThread();
    try {
      gate.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  VolumeTelemetry volume(String id) {
    return volume(id, "asked for");
  }

  VolumeTelemetry volume(String id, String reason) {
    volumes.add(status(id, reason, "open", false));
    VolumeTelemetry counters = new VolumeTelemetry(id);
    telemetry.add(counters);
    return counters;
  }

  static VolumeStatus status(String id, String reason, String state, boolean poisoned) {
    return new VolumeStatus(
        id,
        "workers:4",
        reason,
        "native",
        "unsupported",
        "no NOWAIT writes here",
        1L << 30,
        4096,
        state,
        false,
        poisoned,
        3,
        5,
        128,
        17);
  }
}
