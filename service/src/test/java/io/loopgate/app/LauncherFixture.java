package io.loopgate.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A copy of the launcher in a project of its own, with a PATH that holds nothing else. */
final class LauncherFixture implements AutoCloseable {
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "basename",
          "cat",
          "dirname",
          "env",
          "find",
          "flock",
          "mkdir",
          "readlink",
          "rm",
          "sleep",
          "touch");

  /** Prints what it was called with. */
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      if [[ $1 == -version ]]; then
        echo 'Picked up JAVA_TOOL_OPTIONS: -Dx' >&2
        echo 'openjdk version "@VERSION@" 2025-09-16' >&2
        exit
      fi
      echo "java=@NAME@"
      echo "pid=$$"
      echo "cwd=$PWD"
      echo "home=${JAVA_HOME:-}"
      printf 'arg=%s\\n' "$@"
      for word in "$@"; do
        if [[ $word == -XX:AOTCacheOutput=* ]]; then echo cache >"${word#*=}"; fi
      done
      @THEN@
      """;

  final Path base;
  final Path root;
  final Path bin;
  final Path elsewhere;

  LauncherFixture() {
    try {
      base = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "launcher ");
      root = Files.createDirectories(base.toAbsolutePath().resolve("my project"));
      bin = Files.createDirectories(base.toAbsolutePath().resolve("bin"));
      elsewhere = Files.createDirectories(base.toAbsolutePath().resolve("else where"));
      Files.copy(script(), root.resolve("loopgate"));
      source("pom.xml");
      source("service/pom.xml");
      source("service/src/main/java/A.java");
      source("bench/pom.xml");
      source("bench/src/main/java/B.java");
      source(".mvn/jvm.config");
      age();
      for (String tool : TOOLS) {
        linkTool(tool);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path script() {
    Path here = Path.of("").toAbsolutePath();
    Path inParent = here.resolveSibling("loopgate");
    return Files.isRegularFile(inParent) ? inParent : here.resolve("loopgate");
  }

  private void linkTool(String tool) throws IOException {
    for (String folder : List.of("/usr/bin", "/bin")) {
      Path real = Path.of(folder, tool);
      if (Files.isExecutable(real)) {
        Files.createSymbolicLink(bin.resolve(tool), real);
        return;
      }
    }
  }

  private void source(String name) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, "source");
  }

  /** Makes all sources older than every jar, folders included. */
  private void age() throws IOException {
    FileTime old = FileTime.from(Instant.now().minusSeconds(3600));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, old);
      }
    }
  }

  Path jar() throws IOException {
    return jar("service/target/loopgate.jar");
  }

  Path jar(String name) throws IOException {
    Path jar = root.resolve(name);
    Files.createDirectories(jar.resolveSibling(""));
    return Files.writeString(jar, "jar");
  }

  /** Makes a Java that says it is of this version, with a release file or without. */
  Path java(String name, String version, boolean hasRelease) throws IOException {
    return java(name, version, hasRelease, "");
  }

  Path java(String name, String version, boolean hasRelease, String then) throws IOException {
    Path home = base.toAbsolutePath().resolve(name);
    executable(
        home.resolve("bin/java"),
        JAVA.replace("@VERSION@", version).replace("@NAME@", name).replace("@THEN@", then));
    if (hasRelease) {
      Files.writeString(
          home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    }
    return home;
  }

  /** Puts a Maven on PATH that notes each call and then does this. */
  void maven(String then) throws IOException {
    executable(
        bin.resolve("mvn"), "#!/usr/bin/env bash\necho \"$PWD $*\" >>'" + calls() + "'\n" + then);
  }

  Path calls() {
    return base.toAbsolutePath().resolve("calls.log");
  }

  List<String> mavenCalls() throws IOException {
    return Files.exists(calls()) ? Files.readAllLines(calls()) : List.of();
  }

  void executable(Path file, String text) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Starts the launcher from another folder. */
  Process start(Path script, Map<String, String> environment, String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(Arrays.asList(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(elsewhere.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    builder.environment().put("HOME", elsewhere.toString());
    builder.environment().put("LOOPGATE_JVM_FOLDERS", base.toAbsolutePath() + "/none");
    builder.environment().putAll(environment);
    return builder.start();
  }

  Outcome run(Map<String, String> environment, String... args)
      throws IOException, InterruptedException {
    return finish(start(root.resolve("loopgate"), environment, args));
  }

  /** Waits for the end; what was written fits the buffers of the pipes. */
  static Outcome finish(Process process) throws IOException, InterruptedException {
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the launcher does not end");
    }
    return new Outcome(
        process.exitValue(), read(process.getInputStream()), read(process.getErrorStream()));
  }

  private static List<String> read(InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(base)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What a run came to.
   *
   * @param code exit code
   * @param out lines on standard output
   * @param err lines on standard error
   */
  record Outcome(int code, List<String> out, List<String> err) {}
}
