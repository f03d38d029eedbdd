package io.loopgate.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.BackingFixture;
import io.loopgate.block.Errno;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bindings answer as the manual pages say, and the twin refuses. */
class SystemCallsTest {
  private static final int BYTES = 8192;

  private final SystemCalls calls = SystemCalls.instance();
  private final Path path = BackingFixture.directory().resolve("f\u00fcnf.bin");
  private int fd;

  @BeforeEach
  void open() {
    int flags = LinuxConstants.O_RDWR | LinuxConstants.O_CREAT | LinuxConstants.O_EXCL;
    fd = (int) calls.open(path.toString(), flags, 0600);
    assertThat(fd).isNotNegative();
  }

  @AfterEach
  void close() throws Exception {
    assertThat(calls.close(fd)).isZero();
    Files.delete(path);
  }

  @Test
  void bytesGoOutAndComeBack() throws Exception {
    try (AlignedMemory memory = AlignedMemory.allocate(4096, BYTES)) {
      memory.segment().fill((byte) 7);
      assertThat(calls.pwrite(fd, memory.address(), BYTES, 100, LinuxConstants.RWF_DSYNC))
          .isEqualTo(BYTES);
      byte[] expected = new byte[BYTES + 100];
      Arrays.fill(expected, 100, expected.length, (byte) 7);
      assertThat(Files.readAllBytes(path)).isEqualTo(expected);
      memory.segment().fill((byte) 0);
      assertThat(calls.pread(fd, memory.address(), BYTES, 90, 0)).isEqualTo(BYTES);
      byte[] read = memory.segment().toArray(ValueLayout.JAVA_BYTE);
      assertThat(read).isEqualTo(Arrays.copyOfRange(expected, 90, 90 + BYTES));
      assertThat(calls.pread(fd, memory.address(), BYTES, 1 << 20, 0)).as("at the end").isZero();
    }
  }

  @Test
  void mappedMemoryIsZeroedAndKeepsItsAddressWhenItsPagesGo() {
    long address = calls.mapMemory(BYTES);
    assertThat(address).isPositive();
    assertThat(address % 4096).isZero();
    var memory = java.lang.foreign.MemorySegment.ofAddress(address).reinterpret(BYTES);
    assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    memory.fill((byte) 7);
    assertThat(calls.dropMemory(address, 4096)).isZero();
    byte[] expected = new byte[BYTES];
    Arrays.fill(expected, 4096, BYTES, (byte) 7);
    assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
    assertThat(calls.unmapMemory(address, BYTES)).isZero();
    assertThat(calls.mapMemory(0)).isEqualTo(-Errno.EINVAL);
    assertThat(calls.dropMemory(1, 4096)).isEqualTo(-Errno.EINVAL);
    assertThat(calls.unmapMemory(1, 4096)).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aThreadThatWaitsIsToldFromOneThatWorks() {
    long before = calls.threadWaits();
    assertThat(before).isNotNegative();
    LockSupport.parkNanos(1_000_000);
    assertThat(calls.threadWaits()).isGreaterThan(before);
  }

  @Test
  void errorsAreNegatedNumbers() {
    assertThat(calls.open(path + ".none", LinuxConstants.O_RDONLY, 0)).isEqualTo(-Errno.ENOENT);
    assertThat(calls.open(path.toString(), LinuxConstants.O_CREAT | LinuxConstants.O_EXCL, 0))
        .isEqualTo(-Errno.EEXIST);
    assertThat(calls.close(-1)).isEqualTo(-Errno.EBADF);
    assertThat(calls.fdatasync(-1)).isEqualTo(-Errno.EBADF);
    assertThat(calls.fsync(-1)).isEqualTo(-Errno.EBADF);
    assertThat(calls.ftruncate(fd, -1)).isEqualTo(-Errno.EINVAL);
    assertThat(calls.pread(-1, 0, 0, 0, 0)).isEqualTo(-Errno.EBADF);
    assertThat(calls.fadvise(-1, 0, 0, 0)).isEqualTo(-Errno.EBADF);
    assertThat(calls.fileSystemType(-1)).isEqualTo(-Errno.EBADF);
    assertThat(calls.availableBytes(-1)).isEqualTo(-Errno.EBADF);
    assertThat(calls.ioctlAt(-1, LinuxConstants.FS_IOC_FIEMAP, 0)).isEqualTo(-Errno.EBADF);
    assertThat(calls.ioctlGet(fd, LinuxConstants.BLKGETSIZE64)).isEqualTo(-Errno.ENOTTY);
    assertThat(calls.lseek(fd, 0, LinuxConstants.SEEK_DATA)).isEqualTo(-Errno.ENXIO);
    assertThat(calls.allocateAligned(3, 10)).isEqualTo(-Errno.EINVAL);
    assertThatThrownBy(() -> AlignedMemory.allocate(3, 10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("EINVAL");
  }

  @Test
  void statusSaysWhatJavaSays() throws Exception {
    assertThat(calls.ftruncate(fd, 12_345)).isZero();
    FileStatus byFd = new FileStatus();
    FileStatus byPath = new FileStatus();
    assertThat(calls.statx(fd, byFd)).isZero();
    assertThat(calls.statx(path.toString(), byPath)).isZero();
    for (FileStatus status : new FileStatus[] {byFd, byPath}) {
      assertThat(status.isRegular()).isTrue();
      assertThat(status.isDirectory()).isFalse();
      assertThat(status.isBlockDevice()).isFalse();
      assertThat(status.sizeBytes()).isEqualTo(12_345);
      assertThat(status.allocatedBytes()).isZero();
      assertThat(status.links()).isEqualTo(1);
      assertThat(status.inode()).isEqualTo(Files.getAttribute(path, "unix:ino"));
      assertThat(status.modifiedNanos())
          .isEqualTo(Files.getLastModifiedTime(path).to(java.util.concurrent.TimeUnit.NANOSECONDS));
    }
    assertThat(byFd.fileSystemDevice()).isEqualTo(byPath.fileSystemDevice());
    FileStatus directory = new FileStatus();
    assertThat(calls.statx(String.valueOf(path.getParent()), directory)).isZero();
    assertThat(directory.isDirectory()).isTrue();
  }

  @Test
  void spaceComesAndGoes() {
    int keep = LinuxConstants.FALLOC_FL_KEEP_SIZE;
    FileStatus status = new FileStatus();
    assertThat(calls.fallocate(fd, 0, 0, 1 << 20)).isZero();
    assertThat(calls.statx(fd, status)).isZero();
    assertThat(status.sizeBytes()).isEqualTo(1 << 20);
    assertThat(status.allocatedBytes()).isGreaterThanOrEqualTo(1 << 20);
    assertThat(calls.fallocate(fd, LinuxConstants.FALLOC_FL_PUNCH_HOLE | keep, 0, 1 << 20))
        .isZero();
    assertThat(calls.statx(fd, status)).isZero();
    assertThat(status.allocatedBytes()).isZero();
    assertThat(status.sizeBytes()).isEqualTo(1 << 20);
  }

  @Test
  void whatIsAvailableIsWhatJavaSays() throws Exception {
    long before = Files.getFileStore(path).getUsableSpace();
    assertThat(calls.availableBytes(fd)).isCloseTo(before, Percentage.withPercentage(5));
  }

  @Test
  void extentsTellWrittenFromUnwrittenAndHoles() {
    assertThat(calls.ftruncate(fd, 1 << 20)).isZero();
    assertThat(calls.fallocate(fd, LinuxConstants.FALLOC_FL_KEEP_SIZE, 0, 1 << 16)).isZero();
    try (AlignedMemory memory = AlignedMemory.allocate(4096, 4096)) {
      assertThat(calls.pwrite(fd, memory.address(), 4096, 1 << 18, 0)).isEqualTo(4096);
    }
    List<String> found = new ArrayList<>();
    FileExtents.Visitor note =
        (start, length, flags) -> {
          boolean unwritten = (flags & LinuxConstants.FIEMAP_EXTENT_UNWRITTEN) != 0;
          return found.add(start + "+" + length + (unwritten ? " unwritten" : ""));
        };
    assertThat(FileExtents.walk(calls, fd, 0, 1 << 20, true, note)).isZero();
    assertThat(found).containsExactly("0+65536 unwritten", "262144+4096");
    found.clear();
    assertThat(FileExtents.walk(calls, fd, 1 << 17, 1 << 20, false, note)).isZero();
    assertThat(found).containsExactly("262144+4096");
    assertThat(FileExtents.walk(calls, -1, 0, 1, false, note)).isEqualTo(-Errno.EBADF);
  }

  @Test
  void manyExtentsComeInOrderUntilTheVisitorHasEnough() {
    int count = 700;
    assertThat(calls.ftruncate(fd, count * 8192L)).isZero();
    try (AlignedMemory memory = AlignedMemory.allocate(4096, 4096)) {
      for (int i = 0; i < count; i++) {
        assertThat(calls.pwrite(fd, memory.address(), 4096, i * 8192L, 0)).isEqualTo(4096);
      }
    }
    List<Long> starts = new ArrayList<>();
    FileExtents.walk(
        calls, fd, 0, count * 8192L, true, (start, length, flags) -> starts.add(start));
    assertThat(starts).isEqualTo(LongStream.range(0, count).mapToObj(i -> i * 8192).toList());
    starts.clear();
    FileExtents.walk(
        calls,
        fd,
        0,
        count * 8192L,
        false,
        (start, length, flags) -> starts.add(start) && starts.size() < 3);
    assertThat(starts).hasSize(3);
  }

  @Test
  void locksExclude() {
    int other = (int) calls.open(path.toString(), LinuxConstants.O_RDONLY, 0);
    int exclusive = LinuxConstants.LOCK_EX | LinuxConstants.LOCK_NB;
    assertThat(calls.flock(fd, exclusive)).isZero();
    assertThat(calls.flock(other, exclusive)).isEqualTo(-Errno.EAGAIN);
    assertThat(calls.flock(fd, LinuxConstants.LOCK_UN)).isZero();
    assertThat(calls.flock(other, exclusive)).isZero();
    assertThat(calls.close(other)).isZero();
  }

  @Test
  void fileSystemsHaveNames() {
    long type = calls.fileSystemType(fd);
    assertThat(type).isPositive();
    assertThat(FileSystems.name(0xEF53)).isEqualTo("ext4");
    assertThat(FileSystems.name(0x9123683EL)).isEqualTo("btrfs");
    assertThat(FileSystems.name(0x12345)).isEqualTo("file system 0x12345");
    assertThat(FileSystems.isMemory("tmpfs")).isTrue();
    assertThat(FileSystems.isMemory("ext4")).isFalse();
  }

  @Test
  void elsewhereTheTwinRefusesWithCauseAndRemedy() {
    assertRefuses(SystemCallsHolder.choose("Mac OS X", "aarch64", true), "Mac OS X", "Linux");
    assertRefuses(SystemCallsHolder.choose("Linux", "riscv64", true), "riscv64", "x86-64");
    assertRefuses(
        SystemCallsHolder.choose("Linux", "amd64", false),
        "may not call native code",
        "--enable-native-access=ALL-UNNAMED");
    assertThat(SystemCallsHolder.choose("Linux", "amd64", true))
        .isInstanceOf(LinuxSystemCalls.class);
  }

  private static void assertRefuses(SystemCalls twin, String cause, String remedy) {
    FileStatus status = new FileStatus();
    Runnable[] all = {
      () -> twin.open("x", 0, 0),
      () -> twin.close(0),
      () -> twin.pread(0, 0, 0, 0, 0),
      () -> twin.pwrite(0, 0, 0, 0, 0),
      () -> twin.fallocate(0, 0, 0, 0),
      () -> twin.fdatasync(0),
      () -> twin.fsync(0),
      () -> twin.ftruncate(0, 0),
      () -> twin.statx(0, status),
      () -> twin.statx("x", status),
      () -> twin.lseek(0, 0, 0),
      () -> twin.flock(0, 0),
      () -> twin.fadvise(0, 0, 0, 0),
      () -> twin.fileSystemType(0),
      () -> twin.availableBytes(0),
      () -> twin.ioctlAt(0, 0, 0),
      () -> twin.ioctlGet(0, 0),
      () -> twin.ioctlRange(0, 0, 0, 0),
      () -> twin.allocateAligned(8, 8),
      () -> twin.free(0)
    };
    for (Runnable call : all) {
      assertThatThrownBy(call::run)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining(cause)
          .hasMessageContaining(remedy);
    }
  }

  @Test
  void memoryIsAlignedZeroedAndFreedOnce() {
    AlignedMemory memory = AlignedMemory.allocate(1 << 16, 5000);
    assertThat(memory.address() % (1 << 16)).isZero();
    assertThat(memory.sizeBytes()).isEqualTo(5000);
    assertThat(memory.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    memory.close();
    assertThatCode(memory::close).doesNotThrowAnyException();
  }
}
