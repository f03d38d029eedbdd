package io.loopgate.bench.files;

import io.loopgate.bench.control.Stop;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Fill;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Workload;
import io.loopgate.config.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The folder with the files that are measured: makes what a workload needs, puts the page cache
 * into the state it asks for, and removes everything in the end. For one control thread.
 */
public final class Workbench implements AutoCloseable {
  private final Path folder;
  private final boolean keep;
  private final LiveCdImage liveCd;
  private final ImageMaker maker;
  private final Set<Path> made = new LinkedHashSet<>();
  private boolean madeFolder;

  /**
   * Creates one; the folder is made when it is needed.
   *
   * @param keep whether files stay afterwards
   */
  public Workbench(Path folder, boolean keep, LiveCdImage liveCd, Stop stop) {
    this.folder = folder.toAbsolutePath().normalize();
    this.keep = keep;
    this.liveCd = liveCd;
    this.maker = new ImageMaker(stop);
  }

  /** Returns the folder. */
  public Path folder() {
    return folder;
  }

  /**
   * Makes a workload ready for its next run.
   *
   * @throws TargetException if that is not possible here
   */
  public Prepared prepare(Workload workload) {
    Prepared prepared =
        switch (workload.target()) {
          case Target.Image image -> image(image);
          case Target.LiveCd _ -> file(liveCd.find());
          case Target.Linear linear -> linear(linear);
          case Target.Remote remote -> new Prepared(remote.url(), List.of());
          case Target.Ram ram -> memory("ram", ram.sizeBytes());
          case Target.Nothing nothing -> memory("null", nothing.sizeBytes());
        };
    prepared.files().forEach(file -> setCache(file, workload.access()));
    return prepared;
  }

  private static Prepared memory(String kind, long sizeBytes) {
    return new Prepared(kind + ":" + Units.formatBytes(sizeBytes), List.of());
  }

  private static Prepared file(Path file) {
    return new Prepared(file.toString(), List.of(file));
  }

  private Prepared image(Target.Image image) {
    String name =
        image.fill().name().toLowerCase(Locale.ROOT)
            + "-"
            + Units.formatBytes(image.sizeBytes())
            + (image.copy() == 0 ? "" : "-" + image.copy())
            + ".img";
    Path file = folder.resolve(image.fresh() ? "fresh-" + name : name);
    if (image.fresh()) {
      ImageMaker.deleteQuietly(file);
      made.remove(file);
    }
    return file(made(file, image.sizeBytes(), image.fill()));
  }

  private Prepared linear(Target.Linear linear) {
    List<Path> parts =
        IntStream.range(0, linear.parts())
            .mapToObj(
                part ->
                    folder.resolve(
                        "part" + part + "-" + Units.formatBytes(linear.partBytes()) + ".img"))
            .map(file -> made(file, linear.partBytes(), Fill.WRITTEN))
            .toList();
    String names = parts.stream().map(Path::toString).collect(Collectors.joining("+"));
    return new Prepared("linear:" + names, parts);
  }

  private Path made(Path file, long sizeBytes, Fill fill) {
    if (made.contains(file)) {
      return file;
    }
    makeFolder();
    if (fill == Fill.SPARSE) {
      maker.sparse(file, sizeBytes);
    } else {
      maker.written(file, sizeBytes);
    }
    made.add(file);
    return file;
  }

  private void makeFolder() {
    if (Files.isDirectory(folder)) {
      return;
    }
    try {
      Files.createDirectories(folder);
      madeFolder = true;
    } catch (IOException e) {
      throw new TargetException("cannot make the folder " + folder + ": " + e.getMessage());
    }
  }

  /** A page in the cache would make direct commands wait for it, so there are none for these. */
  private static void setCache(Path file, Access access) {
    if (access.direct() || access.cache() == Cache.COLD) {
      PageCache.evict(file);
    } else {
      PageCache.heat(file);
    }
  }

  @Override
  public void close() {
    if (keep) {
      return;
    }
    made.forEach(ImageMaker::deleteQuietly);
    made.clear();
    if (madeFolder) {
      ImageMaker.deleteQuietly(folder);
    }
  }
}
