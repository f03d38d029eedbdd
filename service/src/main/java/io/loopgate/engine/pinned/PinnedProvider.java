package io.loopgate.engine.pinned;

import static io.loopgate.sys.LinuxConstants.POSIX_FADV_DONTNEED;

import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.Support;
import io.loopgate.block.Errno;
import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.LoopEngineProvider;
import io.loopgate.sys.FileStatus;
import io.loopgate.sys.FileSystems;
import io.loopgate.sys.SystemCalls;
import java.util.Optional;
import java.util.Set;

/**
 * {@code pinned}: a direct file that is proven private, whole and written when it is opened; then
 * every transfer is submitted plainly from the event loop, with no hint, no try and no fallback.
 *
 * <p>Counterpart: dm-loop, 2025, of which the precondition is kept and the mechanism is not (see
 * {@link FileProof}). {@code pinned:fill} writes a file whole first. While it is pinned, discard
 * and zero write zeroes, and the volume keeps its size. Nothing keeps other processes from cloning
 * or punching the file; transfers would wait then, and stay right.
 */
public final class PinnedProvider implements LoopEngineProvider {
  private static final String FILL = "fill";

  /** These write every block to a new place, so there is nothing to pin. */
  private static final Set<String> COPY_ON_WRITE =
      Set.of("btrfs", "zfs", "bcachefs", "f2fs", "overlayfs");

  private final TransferEngine transfer;
  private final SystemCalls calls;

  /** The provider of this build. */
  public PinnedProvider() {
    this(new PlainAio(), SystemCalls.instance());
  }

  PinnedProvider(TransferEngine transfer, SystemCalls calls) {
    this.transfer = transfer;
    this.calls = calls;
  }

  /** Whether to write the file whole first. */
  record Config(boolean fill) implements EngineConfig {
    @Override
    public EngineSpec spec() {
      return new EngineSpec("pinned", fill ? FILL : "");
    }
  }

  @Override
  public String name() {
    return "pinned";
  }

  @Override
  public String summary() {
    return "a direct file proven private and whole, then submitted plainly (dm-loop, 2025)";
  }

  @Override
  public EngineConfig configure(EngineSpec spec) {
    if (!spec.argument().isEmpty() && !spec.argument().equals(FILL)) {
      throw new IllegalArgumentException(
          "engine pinned takes no argument but fill (pinned:fill writes holes and unwritten blocks"
              + " first), not \""
              + spec.argument()
              + "\"");
    }
    return new Config(!spec.argument().isEmpty());
  }

  @Override
  public int defaultQueues(EngineConfig config, EngineEnvironment environment) {
    return transfer.defaultQueues(environment);
  }

  @Override
  public Support asynchronous(EngineConfig config, EngineEnvironment environment) {
    return Support.yes("submitted plainly from the event loop, to a file without surprises");
  }

  @Override
  public boolean pinsFile() {
    return true;
  }

  @Override
  public Availability probe(EngineConfig config, EngineEnvironment environment) {
    Optional<Availability> unfit = unfit(environment);
    if (unfit.isPresent()) {
      return unfit.get();
    }
    DescriptorBacking file = (DescriptorBacking) environment.backing();
    long sizeBytes = file.geometry().sizeBytes();
    FileProof.Findings found = FileProof.examine(calls, file.fd(), sizeBytes);
    if (found.result() < 0) {
      return no(
          "its file system does not tell where a file lies (FIEMAP: "
              + Errno.name(-found.result())
              + ")",
          "move it to ext4 or xfs, or take aio");
    }
    boolean fill = ((Config) config).fill();
    Optional<Offence> offence = fill ? found.firstBeyondFilling() : found.first();
    if (offence.isPresent()) {
      return no(offence.get().words(), offence.get().remedy());
    }
    long availableBytes = calls.availableBytes(file.fd());
    if (fill && availableBytes >= 0 && found.holeBytes() > availableBytes) {
      return no(
          "filling takes "
              + found.holeBytes()
              + " bytes, and its file system has "
              + availableBytes
              + " left",
          "free space, or take aio");
    }
    long toFill = found.holeBytes() + found.unwrittenBytes();
    return new Availability.Available(
        "the file is private and lies whole in "
            + found.extents()
            + (found.extents() == 1 ? " extent" : " extents")
            + (toFill > 0 ? ", after " + toFill + " bytes were filled" : ""));
  }

  /** Returns why this is no file to pin, before its extents are looked at. */
  private Optional<Availability> unfit(EngineEnvironment environment) {
    if (!(environment.backing() instanceof DescriptorBacking file)) {
      return Optional.of(no("the backing is no file", "take another engine"));
    }
    if (!file.capabilities().direct().available()) {
      return Optional.of(
          no("the file is opened through the page cache", "add direct=on, or take auto"));
    }
    FileStatus status = new FileStatus();
    long result = calls.statx(file.fd(), status);
    if (result < 0) {
      return Optional.of(no("its status cannot be read: " + Errno.name(-result), "take aio"));
    }
    if (!status.isRegular()) {
      return Optional.of(
          no("it is a block device, which has nothing to pin", "take aio: that is as good there"));
    }
    if (file.readOnly()) {
      return Optional.of(
          no("it is opened for reading only, so it cannot be kept whole", "take aio"));
    }
    if (status.links() != 1) {
      return Optional.of(
          no(
              "it has " + status.links() + " names (hard links), so it is not this volume's alone",
              "serve a copy, remove the other names, or take aio"));
    }
    String fileSystem = FileSystems.name(calls.fileSystemType(file.fd()));
    if (COPY_ON_WRITE.contains(fileSystem)) {
      return Optional.of(
          no(
              fileSystem + " writes every block to a new place",
              "move it to ext4 or xfs, or take aio"));
    }
    return switch (transfer.probe(environment)) {
      case Availability.Available _ -> Optional.empty();
      case Availability.Unavailable missing -> Optional.of(missing);
    };
  }

  private static Availability no(String cause, String remedy) {
    return new Availability.Unavailable(cause, remedy);
  }

  @Override
  public LoopEngine open(EngineConfig config, EngineEnvironment environment) {
    DescriptorBacking file = (DescriptorBacking) environment.backing();
    long sizeBytes = file.geometry().sizeBytes();
    FileProof.Findings found = FileProof.examine(calls, file.fd(), sizeBytes);
    if (((Config) config).fill() && found.first().isPresent()) {
      FileFill.fill(calls, environment.volume(), file, found.holeBytes() + found.unwrittenBytes());
      found = FileProof.examine(calls, file.fd(), sizeBytes);
    }
    if (found.first().isPresent()) {
      Offence offence = found.first().get();
      throw new IllegalArgumentException(
          "engine pinned is not available: " + offence.words() + "; " + offence.remedy());
    }
    // A page left in the cache would make a direct transfer of its range take the slow way.
    calls.fadvise(file.fd(), 0, 0, POSIX_FADV_DONTNEED);
    return transfer.open(environment.withBacking(new PinnedBacking(file)));
  }
}
