package io.loopgate.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.Extent;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.Support;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.sys.LinuxConstants;
import io.loopgate.sys.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A pipe with a name: a read of it stays in the kernel until somebody writes. */
final class Fifo implements DescriptorBacking {
  private static final Support NO = Support.no("it is a pipe");
  private static final BackingCapabilities NOTHING =
      new BackingCapabilities(NO, NO, NO, NO, NO, NO, NO, NO, false);

  private final SystemCalls calls = SystemCalls.instance();
  private final Path path = BackingFixture.directory().resolve("fifo");
  private final int fd;

  Fifo() throws Exception {
    Process made = new ProcessBuilder("mkfifo", path.toString()).inheritIO().start();
    assertThat(made.waitFor()).isZero();
    fd = (int) calls.open(path.toString(), LinuxConstants.O_RDWR, 0);
    assertThat(fd).isPositive();
  }

  /** Lets reads of this many bytes end. */
  void feed(byte[] bytes) throws IOException {
    Files.write(path, bytes, StandardOpenOption.WRITE);
  }

  @Override
  public int fd() {
    return fd;
  }

  @Override
  public Geometry geometry() {
    return new Geometry(1 << 20, 1, 1, 4096);
  }

  @Override
  public BackingCapabilities capabilities() {
    return NOTHING;
  }

  @Override
  public String description() {
    return path.toString();
  }

  @Override
  public boolean readOnly() {
    return false;
  }

  @Override
  public String identity() {
    return description();
  }

  @Override
  public long execute(BlockRequest request) {
    return -Errno.EIO;
  }

  @Override
  public long tryNow(BlockRequest request) {
    return -Errno.EOPNOTSUPP;
  }

  @Override
  public Extent extentAt(long offsetBytes) {
    return new Extent(offsetBytes, geometry().sizeBytes() - offsetBytes, false);
  }

  @Override
  public long allocatedBytes() {
    return 0;
  }

  @Override
  public void resize(long newSizeBytes) {
    throw new UnsupportedOperationException("it is a pipe");
  }

  @Override
  public void close() {
    assertThat(calls.close(fd)).isZero();
    assertThat(path.toFile().delete()).isTrue();
  }
}
