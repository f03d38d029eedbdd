package io.loopgate.bench.peer;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds programs, those included that only root has on its path. */
final class Programs {
  private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));

  private Programs() {}

  /** Returns the path of a program, if it is installed. */
  static Optional<String> find(String name) {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return Stream.concat(SEPARATOR.splitAsStream(path), Stream.of("/usr/sbin", "/sbin"))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }
}
