package io.loopgate.app;

import io.loopgate.admin.Lifecycle;
import io.loopgate.admin.StatusSource;
import io.loopgate.admin.VolumeStatus;
import io.loopgate.telemetry.VolumeTelemetry;
import io.loopgate.volume.FastPath;
import io.loopgate.volume.Volume;
import io.loopgate.volume.VolumeRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Tells the admin port how the server is. Thread-safe. */
final class ServerStatus implements StatusSource {
  private final VolumeRegistry volumes;
  private final AtomicReference<Lifecycle> lifecycle = new AtomicReference<>(Lifecycle.STARTING);

  ServerStatus(VolumeRegistry volumes) {
    this.volumes = volumes;
  }

  void lifecycle(Lifecycle now) {
    lifecycle.set(now);
  }

  /** It is ready, unless it has gone on from starting to something else. */
  void ready() {
    lifecycle.compareAndSet(Lifecycle.STARTING, Lifecycle.READY);
  }

  @Override
  public Lifecycle lifecycle() {
    return lifecycle.get();
  }

  @Override
  public List<VolumeStatus> volumes() {
    return volumes.list().stream().map(ServerStatus::status).toList();
  }

  @Override
  public List<VolumeTelemetry> telemetry() {
    return volumes.list().stream().map(Volume::telemetry).toList();
  }

  private static VolumeStatus status(Volume volume) {
    FastPath fastPath = volume.running().fastPath();
    return new VolumeStatus(
        volume.id(),
        volume.running().spec().toString(),
        volume.running().reason(),
        FastPath.word(fastPath.read()),
        FastPath.word(fastPath.write()),
        fastPath.reason(),
        volume.sizeBytes(),
        volume.backing().allocatedBytes(),
        volume.state().label(),
        volume.settings().readOnly(),
        !volume.poison().isEmpty(),
        volume.running().engine().inFlight(),
        volume.inFlight(),
        volume.settings().limits().maxInFlight(),
        volume.currentSequence());
  }
}
