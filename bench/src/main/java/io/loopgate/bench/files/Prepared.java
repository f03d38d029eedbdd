package io.loopgate.bench.files;

import java.nio.file.Path;
import java.util.List;

/**
 * A target that is ready for a run.
 *
 * @param backing how a volume names it
 * @param files the files beneath, if there are any
 */
public record Prepared(String backing, List<Path> files) {
  /** Copies the list. */
  public Prepared {
    files = List.copyOf(files);
  }
}
