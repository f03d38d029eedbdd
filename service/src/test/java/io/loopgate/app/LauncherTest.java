package io.loopgate.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.app.LauncherFixture.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the real script with JVMs and a Maven that only tell what they were asked. */
class LauncherTest {
  private static final String MAKE_JAR =
      "mkdir -p service/target/lib; echo jar >service/target/loopgate.jar\n";

  private final LauncherFixture launcher = new LauncherFixture();

  @AfterEach
  void close() {
    launcher.close();
  }

  private Map<String, String> java25() throws IOException {
    return Map.of("JAVA_HOME", launcher.java("jdk 25", "25.0.1", true).toString());
  }

  @Test
  void withoutAnyJavaOneLineSaysSo() throws Exception {
    launcher.jar();
    Outcome outcome = launcher.run(Map.of(), "serve");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).singleElement().asString().startsWith("loopgate: needs Java 25");
  }

  @ParameterizedTest
  @CsvSource({"17.0.15,17", "1.8.0_402,1", "24,24", "11.0.2,11"})
  void anOlderJavaIsNotTaken(String version, String seen) throws Exception {
    launcher.jar();
    Path home = launcher.java("old", version, false);
    Outcome outcome = launcher.run(Map.of("JAVA_HOME", home.toString()), "serve");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err())
        .singleElement()
        .asString()
        .contains("needs Java 25 or newer, the newest found is " + seen);
  }

  @Test
  void withoutMavenOneLineSaysSo() throws Exception {
    Outcome outcome = launcher.run(java25(), "serve");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .singleElement()
        .asString()
        .startsWith("loopgate: needs Maven (mvn) on PATH");
  }

  @ParameterizedTest
  @CsvSource({"25.0.1,true", "25.0.1,false", "25,false", "25-ea,true", "26.0.1,false"})
  void javaHomeIsTakenByReleaseFileOrByAsking(String version, boolean hasRelease) throws Exception {
    launcher.jar();
    Path home = launcher.java("jdk", version, hasRelease);
    Outcome outcome = launcher.run(Map.of("JAVA_HOME", home.toString()), "version");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains("java=jdk");
  }

  @Test
  void aJavaOnPathThatIsTooOldIsPassedOver() throws Exception {
    launcher.jar();
    Path old = launcher.java("jdk17", "17.0.15", true);
    Files.createSymbolicLink(launcher.bin.resolve("java"), old.resolve("bin/java"));
    launcher.java("jvms/a21", "21", true);
    launcher.java("jvms/b25", "25.0.1", true);
    String folders =
        launcher.base.toAbsolutePath()
            + "/jvms/a21:"
            + launcher.base.toAbsolutePath()
            + "/jvms/b25";
    Outcome outcome =
        launcher.run(
            Map.of("LOOPGATE_JVM_FOLDERS", folders, "JAVA_HOME", old.toString()), "version");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out()).contains("java=jvms/b25", "home=" + old);
  }

  @Test
  void aJavaOnPathIsFoundThroughLinks() throws Exception {
    launcher.jar();
    Path home = launcher.java("jdk25", "25.0.1", true);
    Files.createSymbolicLink(launcher.bin.resolve("java"), home.resolve("bin/java"));
    assertThat(launcher.run(Map.of(), "version").out()).contains("java=jdk25");
  }

  @Test
  void argumentsAndFlagsArriveAsTheyAre() throws Exception {
    Path jar = launcher.jar();
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME",
            launcher.java("jdk", "25", true).toString(),
            "LOOPGATE_JAVA_OPTS",
            " -Xmx1g   -Da=*\n-Db=c ");
    Outcome outcome = launcher.run(environment, "serve", "a b", "", "*", "--x='y'");
    assertThat(outcome.out())
        .contains("cwd=" + launcher.elsewhere)
        .containsSequence(
            "arg=-XX:+UseSerialGC",
            "arg=-Xmx1g",
            "arg=-Da=*",
            "arg=-Db=c",
            "arg=-jar",
            "arg=" + jar,
            "arg=serve",
            "arg=a b",
            "arg=",
            "arg=*",
            "arg=--x='y'")
        .contains(
            "arg=--enable-native-access=ALL-UNNAMED",
            "arg=--sun-misc-unsafe-memory-access=allow",
            "arg=-Dio.netty.leakDetection.level=disabled",
            "arg=-XX:MaxDirectMemorySize=192m",
            "arg=-Xmx128m");
  }

  @Test
  void benchRunsAJarOfItsOwn() throws Exception {
    Path jar = launcher.jar("bench/target/loopgate-bench.jar");
    Outcome outcome = launcher.run(java25(), "bench", "engines", "--rounds", "5");
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .containsSequence("arg=-jar", "arg=" + jar, "arg=engines", "arg=--rounds", "arg=5")
        .doesNotContain("arg=bench");
  }

  @Test
  void benchBuildsBothModulesAndServeOnlyItsOwn() throws Exception {
    launcher.maven(MAKE_JAR + "mkdir -p bench/target; echo jar >bench/target/loopgate-bench.jar\n");
    assertThat(launcher.run(java25(), "bench", "engines").code()).isZero();
    assertThat(launcher.run(java25(), "serve").err()).isEmpty();
    assertThat(launcher.run(java25(), "bench", "engines").err()).isEmpty();
    assertThat(launcher.mavenCalls()).singleElement().asString().contains("-pl bench -am");
    Files.setLastModifiedTime(
        launcher.root.resolve("bench/src/main/java/B.java"), FileTime.from(Instant.now()));
    assertThat(launcher.run(java25(), "serve").err()).isEmpty();
    assertThat(launcher.run(java25(), "bench", "engines").err())
        .containsExactly("loopgate: building…");
  }

  @Test
  void afterAFailedBuildOfBenchItsOldJarIsNotTrusted() throws Exception {
    launcher.jar("bench/target/loopgate-bench.jar");
    Files.setLastModifiedTime(
        launcher.root.resolve("bench/src/main/java/B.java"),
        FileTime.from(Instant.now().plusSeconds(60)));
    launcher.maven(MAKE_JAR + "touch bench/target/loopgate-bench.jar; exit 1\n");
    assertThat(launcher.run(java25(), "bench", "engines").code()).isEqualTo(1);
    launcher.maven(MAKE_JAR);
    assertThat(launcher.run(java25(), "serve").code()).isZero();
    assertThat(launcher.run(java25(), "bench", "engines").err())
        .containsExactly("loopgate: building…");
  }

  @Test
  void linksToTheScriptLeadHome() throws Exception {
    Path jar = launcher.jar();
    Path first = launcher.base.toAbsolutePath().resolve("first link");
    Path second = launcher.elsewhere.resolve("second");
    Files.createSymbolicLink(first, Path.of("my project/loopgate"));
    Files.createSymbolicLink(second, Path.of("../first link"));
    Outcome outcome = LauncherFixture.finish(launcher.start(second, java25(), "version"));
    assertThat(outcome.out()).contains("arg=" + jar);
  }

  @Test
  void theFirstRunBuildsAndTheSecondDoesNot() throws Exception {
    launcher.maven(MAKE_JAR);
    Map<String, String> environment = java25();
    Outcome first = launcher.run(environment, "serve");
    assertThat(first.code()).isZero();
    assertThat(first.err()).containsExactly("loopgate: building…");
    Outcome second = launcher.run(environment, "serve");
    assertThat(second.err()).isEmpty();
    assertThat(second.out()).contains("arg=serve");
    assertThat(launcher.mavenCalls())
        .singleElement()
        .asString()
        .startsWith(launcher.root + " ")
        .endsWith("package");
  }

  @ParameterizedTest
  @CsvSource({"pom.xml", "service/pom.xml", "service/src/main/java/A.java", ".mvn/jvm.config"})
  void aNewerSourceBuildsAgain(String source) throws Exception {
    FileTime old = FileTime.from(Instant.now().minusSeconds(60));
    Files.setLastModifiedTime(launcher.jar(), old);
    launcher.maven(MAKE_JAR);
    assertThat(launcher.run(java25(), "serve").err()).isEmpty();
    Files.setLastModifiedTime(launcher.root.resolve(source), FileTime.from(Instant.now()));
    assertThat(launcher.run(java25(), "serve").err()).containsExactly("loopgate: building…");
    assertThat(launcher.mavenCalls()).hasSize(1);
  }

  @Test
  void aRemovedSourceBuildsAgain() throws Exception {
    launcher.jar();
    Files.setLastModifiedTime(launcher.jar(), FileTime.from(Instant.now().minusSeconds(60)));
    launcher.maven(MAKE_JAR);
    Files.delete(launcher.root.resolve("service/src/main/java/A.java"));
    launcher.run(java25(), "serve");
    assertThat(launcher.mavenCalls()).hasSize(1);
  }

  @Test
  void aFailedBuildShowsItsLogAndIsTriedAgain() throws Exception {
    launcher.maven(MAKE_JAR + "echo '[ERROR] no such symbol'; exit 1\n");
    Outcome outcome = launcher.run(java25(), "serve");
    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .hasSize(3)
        .contains("[ERROR] no such symbol")
        .last()
        .asString()
        .startsWith("loopgate: the build failed");
    launcher.run(java25(), "serve");
    assertThat(launcher.mavenCalls()).hasSize(2);
  }

  @Test
  void skippingTheBuildRunsWhatIsThere() throws Exception {
    Map<String, String> environment =
        Map.of(
            "JAVA_HOME", launcher.java("jdk", "25", true).toString(), "LOOPGATE_SKIP_BUILD", "1");
    Outcome missing = launcher.run(environment, "serve");
    assertThat(missing.code()).isEqualTo(1);
    assertThat(missing.err()).singleElement().asString().contains("LOOPGATE_SKIP_BUILD=1");
    Files.setLastModifiedTime(launcher.jar(), FileTime.from(Instant.EPOCH));
    assertThat(launcher.run(environment, "serve").out()).contains("arg=serve");
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void concurrentFirstRunsBuildOnce(boolean hasFlock) throws Exception {
    if (!hasFlock) {
      Files.deleteIfExists(launcher.bin.resolve("flock"));
    }
    launcher.maven("while [[ ! -e go ]]; do sleep 0.05; done\n" + MAKE_JAR);
    Map<String, String> environment = java25();
    Process first = launcher.start(launcher.root.resolve("loopgate"), environment, "serve");
    assertThat(first.errorReader(UTF_8).readLine()).isEqualTo("loopgate: building…");
    Process second = launcher.start(launcher.root.resolve("loopgate"), environment, "serve");
    assertThat(second.errorReader(UTF_8).readLine())
        .isEqualTo("loopgate: waiting for another build…");
    Files.createFile(launcher.root.resolve("go"));
    Outcome one = LauncherFixture.finish(first);
    Outcome two = LauncherFixture.finish(second);
    assertThat(one.out()).contains("arg=serve");
    assertThat(two.out()).contains("arg=serve");
    assertThat(launcher.mavenCalls()).hasSize(1);
  }

  @Test
  void aLockOfADeadLauncherIsTaken() throws Exception {
    Files.deleteIfExists(launcher.bin.resolve("flock"));
    launcher.maven(MAKE_JAR);
    Path lock = launcher.root.resolve("service/target/launcher.lock.d");
    Files.createDirectories(lock);
    // No process has this number: it is above the largest that Linux hands out.
    Files.writeString(lock.resolve("pid"), "4194305\n");
    assertThat(launcher.run(java25(), "serve").out()).contains("arg=serve");
    assertThat(lock).doesNotExist();
  }

  @Test
  void signalsReachJavaBecauseItIsTheSameProcess() throws Exception {
    launcher.jar();
    String wait = "trap 'echo stopped; exit 7' TERM\necho ready\nwhile :; do sleep 0.05; done\n";
    Path home = launcher.java("jdk", "25", true, wait);
    Map<String, String> environment = Map.of("JAVA_HOME", home.toString());
    Process process = launcher.start(launcher.root.resolve("loopgate"), environment, "serve");
    try (BufferedReader reader = process.inputReader(UTF_8)) {
      String pid = "";
      for (String line = reader.readLine();
          line != null && !line.equals("ready");
          line = reader.readLine()) {
        pid = line.startsWith("pid=") ? line : pid;
      }
      assertThat(pid).isEqualTo("pid=" + process.pid());
      // Process.destroy would close the pipes as well.
      process.toHandle().destroy();
      assertThat(process.waitFor()).isEqualTo(7);
      assertThat(reader.readLine()).isEqualTo("stopped");
    }
  }

  private Path cache() {
    return launcher.root.resolve("service/target/loopgate.aot");
  }

  @Test
  void aBuildTrainsACacheThatTheServerUses() throws Exception {
    launcher.maven(MAKE_JAR);
    Map<String, String> environment = java25();
    Outcome first = launcher.run(environment, "serve");
    assertThat(first.out()).contains("arg=-XX:AOTCache=" + cache(), "arg=serve");
    List<String> training =
        Files.readAllLines(launcher.root.resolve("service/target/launcher-train.log"));
    assertThat(training)
        .contains("arg=-XX:AOTCacheOutput=" + cache(), "arg=-XX:+UseSerialGC", "arg=train");
    assertThat(launcher.run(environment, "serve").out()).contains("arg=-XX:AOTCache=" + cache());
  }

  @Test
  void aTrainingThatFailsDoesNoHarm() throws Exception {
    launcher.maven(MAKE_JAR);
    String failing = "[[ $* == *train ]] && exit 1; exit 0";
    Map<String, String> environment =
        Map.of("JAVA_HOME", launcher.java("jdk", "25", true, failing).toString());
    Outcome outcome = launcher.run(environment, "serve");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err()).containsExactly("loopgate: building…");
    assertThat(outcome.out()).noneMatch(line -> line.contains("AOT")).contains("arg=serve");
    assertThat(cache()).doesNotExist();
  }

  @Test
  void aCacheOfAnOlderJarIsNotUsed() throws Exception {
    Path jar = launcher.jar();
    Files.writeString(cache(), "cache");
    assertThat(launcher.run(java25(), "serve").out()).contains("arg=-XX:AOTCache=" + cache());
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(launcher.run(java25(), "serve").out()).noneMatch(line -> line.contains("AOT"));
  }
}
