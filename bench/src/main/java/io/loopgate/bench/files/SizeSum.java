package io.loopgate.bench.files;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Sums up the sizes of the files below a folder; what cannot be read counts as nothing. */
final class SizeSum extends SimpleFileVisitor<Path> {
  private long bytes;

  static long of(Path folder) throws IOException {
    SizeSum sum = new SizeSum();
    Files.walkFileTree(folder, sum);
    return sum.bytes;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    bytes += attributes.isRegularFile() ? attributes.size() : 0;
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) {
    return FileVisitResult.CONTINUE;
  }
}
