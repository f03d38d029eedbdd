package io.loopgate.volume;

import io.loopgate.backing.BackingException;
import io.loopgate.backing.open.Backings;
import io.loopgate.block.Errno;
import io.loopgate.volume.VolumeException.Kind;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All volumes of this process: those of the configuration, and those created over HTTP, which live
 * in the data folder and are found again at the next start.
 *
 * <p>{@link #find} and {@link #list} may be called on event loops. All else blocks, is for control
 * threads, and happens one at a time.
 */
public final class VolumeRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(VolumeRegistry.class);
  private static final int VOLUMES_MAX = 1024;

  private final Map<String, Volume> volumes = new ConcurrentHashMap<>();
  private final Map<String, VolumeDescriptor> stored = new ConcurrentHashMap<>();
  private final ReentrantLock changes = new ReentrantLock();
  private final VolumeOpener opener;
  private final VolumeStore store;
  private final DataFolder folder;

  /** Creates an empty registry over a data folder. */
  public VolumeRegistry(VolumeOpener opener, DataFolder folder) {
    this.opener = opener;
    this.folder = folder;
    this.store = new VolumeStore(folder.path());
  }

  /** Returns the volume of this id. */
  public Optional<Volume> find(String id) {
    return Optional.ofNullable(volumes.get(id));
  }

  /** Returns all volumes, by id. */
  public List<Volume> list() {
    return volumes.values().stream().sorted(Comparator.comparing(Volume::id)).toList();
  }

  /**
   * Opens a volume of the configuration.
   *
   * @param createSizeBytes the size of the file to make if there is none
   * @throws BackingException if its backing cannot be opened
   * @throws VolumeException if there is one of this id, or its engine cannot run
   */
  public Volume openConfigured(VolumeSettings settings, OptionalLong createSizeBytes) {
    return changing(
        () -> {
          refuseExisting(settings.id());
          if (createSizeBytes.isPresent()) {
            folder.createImageIfMissing(settings.backing(), createSizeBytes.getAsLong());
          }
          return register(settings);
        });
  }

  /** Opens the volumes that were created over HTTP before. */
  public void openStored() {
    changing(
        () -> {
          for (VolumeDescriptor descriptor : store.readAll()) {
            String id = descriptor.settings().id();
            if (volumes.containsKey(id)) {
              throw new VolumeException(
                  Kind.EXISTS,
                  "volume "
                      + id
                      + " is configured, and also in the data folder "
                      + store.folder()
                      + "; rename one of them");
            }
            openStored(descriptor);
          }
          return true;
        });
  }

  private void openStored(VolumeDescriptor descriptor) {
    VolumeSettings settings = descriptor.settings();
    if (descriptor.creating()) {
      folder.deleteImageIfEmpty(settings.backing());
      folder.createImageIfMissing(
          folder.resolve(settings.backing()).toString(), descriptor.sizeBytes());
      store.write(descriptor.created());
    }
    register(located(settings));
    stored.put(settings.id(), descriptor.created());
  }

  /** A created volume. */
  public record Created(Volume volume, boolean repeated) {}

  /**
   * Creates a volume in the data folder.
   *
   * @return the volume, and whether the same request had created it before
   * @throws VolumeException if the id is taken, the key was used otherwise, or a setting makes no
   *     sense
   * @throws BackingException if the file cannot be made
   */
  public Created create(VolumeCreation creation) {
    return changing(
        () -> {
          Optional<Volume> before = createdBefore(creation);
          if (before.isPresent()) {
            return new Created(before.get(), true);
          }
          refuseOtherThanFiles(creation.settings().backing());
          refuseExisting(creation.settings().id());
          if (volumes.size() >= VOLUMES_MAX) {
            throw new VolumeException(
                Kind.NO_SPACE, "there are " + VOLUMES_MAX + " volumes already; delete one first");
          }
          opener.checkEngine(creation.settings().engine());
          return new Created(createNew(creation), false);
        });
  }

  /** Clients must not fill the memory of the machine, nor reach what lies outside the folder. */
  private static void refuseOtherThanFiles(String backing) {
    if (!Backings.isPath(backing)) {
      throw new VolumeException(
          Kind.INVALID,
          "backing \""
              + backing
              + "\" can be configured, but not created over HTTP: name a file of the data folder, or"
              + " start with --volume ID="
              + backing);
    }
  }

  private Optional<Volume> createdBefore(VolumeCreation creation) {
    if (creation.idempotencyKey().isEmpty()) {
      return Optional.empty();
    }
    for (VolumeDescriptor descriptor : stored.values()) {
      if (descriptor.idempotencyKey().equals(creation.idempotencyKey())) {
        if (descriptor.requestDigest().equals(creation.requestDigest())) {
          return find(descriptor.settings().id());
        }
        throw new VolumeException(
            Kind.IDEMPOTENCY_CONFLICT,
            "this Idempotency-Key created volume "
                + descriptor.settings().id()
                + " with another request; take a new key");
      }
    }
    return Optional.empty();
  }

  private Volume createNew(VolumeCreation creation) {
    boolean ownFile = creation.settings().backing().equals(VolumeCreation.DEFAULT_BACKING);
    VolumeSettings settings =
        ownFile
            ? withBacking(creation.settings(), creation.settings().id() + ".img")
            : creation.settings();
    boolean madeHere = !folder.holds(settings.backing());
    if (ownFile && !madeHere) {
      throw new VolumeException(
          Kind.EXISTS,
          "the data folder holds a file "
              + settings.backing()
              + " that is no volume; name it as backing to serve it, or take another id");
    }
    VolumeDescriptor descriptor =
        new VolumeDescriptor(
            settings,
            creation.sizeBytes(),
            madeHere,
            madeHere,
            creation.idempotencyKey(),
            creation.requestDigest());
    store.write(descriptor);
    try {
      folder.createImageIfMissing(
          folder.resolve(settings.backing()).toString(), creation.sizeBytes());
      Volume volume = register(located(settings));
      if (volume.sizeBytes() != creation.sizeBytes()) {
        throw mismatch(volume, creation.sizeBytes());
      }
      store.write(descriptor.created());
      stored.put(settings.id(), descriptor.created());
      return volume;
    } catch (RuntimeException e) {
      undo(descriptor);
      throw e;
    }
  }

  private static VolumeException mismatch(Volume volume, long sizeBytes) {
    return new VolumeException(
        Kind.INVALID,
        "the backing holds "
            + volume.sizeBytes()
            + " bytes, not "
            + sizeBytes
            + "; ask for that size, and resize afterwards");
  }

  private void undo(VolumeDescriptor descriptor) {
    String id = descriptor.settings().id();
    Volume half = volumes.remove(id);
    if (half != null) {
      half.close(Duration.ZERO);
    }
    if (descriptor.ownsBacking()) {
      folder.deleteImage(descriptor.settings().backing());
    }
    store.remove(id);
  }

  /**
   * Changes a volume; what fails leaves the rest as it was.
   *
   * @param condition checked on the volume before anything changes, while nothing else can
   */
  public Volume update(String id, VolumeUpdate update, Predicate<Volume> condition) {
    return changing(
        () -> {
          Volume volume = require(id);
          if (!condition.test(volume)) {
            throw preconditionFailed(volume);
          }
          VolumeSettings settings = merged(volume, update);
          VolumeSettings before = volume.settings();
          boolean otherEngine =
              !settings.engine().equals(before.engine())
                  || !settings.options().equals(before.options())
                  || settings.limits().maxInFlight() != before.limits().maxInFlight();
          Optional<Long> size = otherSize(volume, update);
          if (otherEngine && opener.pinsFile(settings.engine())) {
            if (size.isPresent()) {
              refuseResize(volume, settings.engine());
            }
            volume.whileQuiet(() -> volume.switchEngine(started(volume, settings)));
          } else {
            if (size.isPresent() && volume.running().pinsFile()) {
              refuseResize(volume, volume.running().spec().toString());
            }
            resizeAndSwitch(volume, settings, otherEngine, size, update.allowShrink());
          }
          volume.apply(settings);
          VolumeDescriptor descriptor = stored.get(id);
          if (descriptor != null) {
            VolumeDescriptor changed =
                descriptor.withSettings(withBacking(settings, descriptor.settings().backing()));
            store.write(changed);
            stored.put(id, changed);
          }
          return volume;
        });
  }

  private static Optional<Long> otherSize(Volume volume, VolumeUpdate update) {
    OptionalLong asked = update.sizeBytes();
    return asked.isPresent() && asked.getAsLong() != volume.sizeBytes()
        ? Optional.of(asked.getAsLong())
        : Optional.empty();
  }

  private static void refuseResize(Volume volume, String engine) {
    throw new VolumeException(
        Kind.IN_USE,
        "volume "
            + volume.id()
            + " keeps its size while engine "
            + engine
            + " runs, since a larger file would end in a hole; change the engine first, then the"
            + " size");
  }

  private RunningEngine started(Volume volume, VolumeSettings settings) {
    return opener.start(settings, volume.backing(), volume.telemetry());
  }

  private void resizeAndSwitch(
      Volume volume,
      VolumeSettings settings,
      boolean otherEngine,
      Optional<Long> size,
      boolean allowShrink) {
    // Opened before anything changes: an engine that cannot run leaves all as it was.
    Optional<RunningEngine> successor =
        otherEngine ? Optional.of(started(volume, settings)) : Optional.empty();
    try {
      size.ifPresent(bytes -> resize(volume, bytes, allowShrink));
    } catch (RuntimeException e) {
      successor.ifPresent(unused -> unused.engine().close());
      throw e;
    }
    successor.ifPresent(volume::switchEngine);
  }

  private VolumeSettings merged(Volume volume, VolumeUpdate update) {
    VolumeSettings settings = volume.settings();
    if (update.readOnly().isPresent()) {
      boolean readOnly = update.readOnly().get();
      if (!readOnly && volume.backing().readOnly()) {
        throw new VolumeException(
            Kind.FORBIDDEN,
            "volume "
                + volume.id()
                + " was opened read-only; start it without readonly to make it writable");
      }
      settings = settings.withReadOnly(readOnly);
    }
    if (update.engine().isPresent()) {
      opener.checkEngine(update.engine().get());
      settings = settings.withEngine(update.engine().get());
    }
    settings = withOptions(settings, update.options());
    if (update.limits().isPresent()) {
      settings = settings.withLimits(update.limits().get());
    }
    return settings;
  }

  private static VolumeSettings withOptions(VolumeSettings settings, EngineOptionsUpdate update) {
    try {
      return settings.withOptions(update.appliedTo(settings.options()));
    } catch (IllegalArgumentException e) {
      throw new VolumeException(Kind.INVALID, text(e));
    }
  }

  private static void resize(Volume volume, long newSizeBytes, boolean allowShrink) {
    if (volume.settings().readOnly()) {
      throw new VolumeException(
          Kind.FORBIDDEN, "volume " + volume.id() + " is read-only and keeps its size");
    }
    if (newSizeBytes < volume.sizeBytes() && !allowShrink) {
      throw new VolumeException(
          Kind.INVALID,
          "shrinking from "
              + volume.sizeBytes()
              + " to "
              + newSizeBytes
              + " bytes loses what lies behind; say \"allowShrink\":true to do it");
    }
    volume.resize(newSizeBytes);
  }

  /** Deletes a volume that was created over HTTP, and the file that was made with it. */
  public void delete(String id, Predicate<Volume> condition) {
    changing(
        () -> {
          Volume volume = require(id);
          if (!condition.test(volume)) {
            throw preconditionFailed(volume);
          }
          VolumeDescriptor descriptor = stored.get(id);
          if (descriptor == null) {
            throw new VolumeException(
                Kind.FORBIDDEN, "volume " + id + " is part of the configuration; remove it there");
          }
          if (!volume.closeIfIdle()) {
            throw new VolumeException(
                Kind.IN_USE,
                volume.inFlight()
                    + " requests are being served on volume "
                    + id
                    + "; stop its clients and try again");
          }
          volumes.remove(id);
          stored.remove(id);
          store.remove(id);
          if (descriptor.ownsBacking()) {
            folder.deleteImage(descriptor.settings().backing());
          }
          return true;
        });
  }

  /** Closes all volumes; returns whether every one had finished its requests and flushed. */
  public boolean close(Duration timeout) {
    return changing(
        () -> {
          boolean clean = true;
          long deadline = System.nanoTime() + timeout.toNanos();
          for (Volume volume : list()) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            boolean closed = volume.close(left);
            if (!closed) {
              LOG.warn("volume {} was closed with unfinished work or a failed flush", volume.id());
            }
            clean &= closed;
          }
          return clean;
        });
  }

  private Volume register(VolumeSettings settings) {
    Volume volume = opener.open(settings);
    volumes.put(settings.id(), volume);
    return volume;
  }

  private VolumeSettings located(VolumeSettings settings) {
    return withBacking(settings, folder.resolve(settings.backing()).toString());
  }

  private static VolumeSettings withBacking(VolumeSettings settings, String backing) {
    return new VolumeSettings(
        settings.id(),
        backing,
        settings.engine(),
        settings.options(),
        settings.nowait(),
        settings.direct(),
        settings.readOnly(),
        settings.durability(),
        settings.blockSizeBytes(),
        settings.alignment(),
        settings.limits());
  }

  private static VolumeException preconditionFailed(Volume volume) {
    return new VolumeException(
        Kind.PRECONDITION,
        "volume " + volume.id() + " has changed since the tag was read; read it again");
  }

  private Volume require(String id) {
    return find(id)
        .orElseThrow(
            () -> new VolumeException(Kind.NO_SUCH_VOLUME, "there is no volume " + id + " here"));
  }

  private void refuseExisting(String id) {
    if (volumes.containsKey(id)) {
      throw new VolumeException(Kind.EXISTS, "there is a volume " + id + " already");
    }
  }

  private interface Change<T> {
    T make();
  }

  private <T> T changing(Change<T> change) {
    changes.lock();
    try {
      return change.make();
    } catch (BackingException e) {
      throw Errno.isNoSpace(-e.errno()) ? new VolumeException(Kind.NO_SPACE, text(e)) : e;
    } finally {
      changes.unlock();
    }
  }

  private static String text(RuntimeException e) {
    return String.valueOf(e.getMessage());
  }
}
