package io.loopgate.sys;

/**
 * Stands in for {@link LinuxSystemCalls} where that cannot work: every call throws, with cause and
 * remedy.
 */
final class RefusingSystemCalls implements SystemCalls {
  private final String message;

  RefusingSystemCalls(String cause, String remedy) {
    this.message = "no system calls: " + cause + "; " + remedy;
  }

  UnsupportedOperationException refusal() {
    return new UnsupportedOperationException(message);
  }

  @Override
  public long open(String path, int flags, int mode) {
    throw refusal();
  }

  @Override
  public long close(int fd) {
    throw refusal();
  }

  @Override
  public long pread(int fd, long address, long lengthBytes, long offsetBytes, int rwFlags) {
    throw refusal();
  }

  @Override
  public long pwrite(int fd, long address, long lengthBytes, long offsetBytes, int rwFlags) {
    throw refusal();
  }

  @Override
  public long fallocate(int fd, int mode, long offsetBytes, long lengthBytes) {
    throw refusal();
  }

  @Override
  public long fdatasync(int fd) {
    throw refusal();
  }

  @Override
  public long fsync(int fd) {
    throw refusal();
  }

  @Override
  public long ftruncate(int fd, long sizeBytes) {
    throw refusal();
  }

  @Override
  public long statx(int fd, FileStatus into) {
    throw refusal();
  }

  @Override
  public long statx(String path, FileStatus into) {
    throw refusal();
  }

  @Override
  public long lseek(int fd, long offsetBytes, int whence) {
    throw refusal();
  }

  @Override
  public long flock(int fd, int operation) {
    throw refusal();
  }

  @Override
  public long fadvise(int fd, long offsetBytes, long lengthBytes, int advice) {
    throw refusal();
  }

  @Override
  public long fileSystemType(int fd) {
    throw refusal();
  }

  @Override
  public long availableBytes(int fd) {
    throw refusal();
  }

  @Override
  public long ioctlAt(int fd, long request, long address) {
    throw refusal();
  }

  @Override
  public long ioctlGet(int fd, long request) {
    throw refusal();
  }

  @Override
  public long ioctlRange(int fd, long request, long offsetBytes, long lengthBytes) {
    throw refusal();
  }

  @Override
  public long threadWaits() {
    throw refusal();
  }

  @Override
  public long allocateAligned(long alignmentBytes, long sizeBytes) {
    throw refusal();
  }

  @Override
  public void free(long address) {
    throw refusal();
  }

  @Override
  public long mapMemory(long sizeBytes) {
    throw refusal();
  }

  @Override
  public long dropMemory(long address, long sizeBytes) {
    throw refusal();
  }

  @Override
  public long unmapMemory(long address, long sizeBytes) {
    throw refusal();
  }
}
