package io.loopgate.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Prometheus' own checker; a test that needs it is skipped without it, but not in CI. */
final class Promtool {
  /** What a run said. */
  record Result(int exit, String said) {}

  private Promtool() {}

  /** Runs it with a file as its input. */
  static Result run(Path input, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(executable().toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectInput(input.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), said);
  }

  private static Path executable() {
    Optional<Path> found = find();
    boolean ci = "true".equals(System.getenv("CI"));
    assumeTrue(ci || found.isPresent(), "promtool (Debian: prometheus) is not on the PATH");
    assertThat(found).as("promtool on the PATH").isPresent();
    return found.orElseThrow();
  }

  private static Optional<Path> find() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, "promtool"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
