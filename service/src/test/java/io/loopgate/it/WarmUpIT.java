package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server does before it is ready, and what a build does so that this takes less long. */
class WarmUpIT {
  private static final Duration TRAINING = Duration.ofSeconds(90);

  @TempDir private Path folder;

  @Test
  void nothingOfAWarmUpShows() throws Exception {
    Path volumes = Files.createDirectory(folder.resolve("volumes"));
    Path image = Images.noise(folder.resolve("disk.img"), 3, Images.MIB);
    try (ServerProcess server =
        ServerProcess.in(folder)
            .warm()
            .flags("--warm-up", "2s", "--log-level", "debug")
            .volume("disk=" + image)
            .volume(
                "direct=" + Images.noise(folder.resolve("other.img"), 4, Images.MIB) + ",direct=on")
            .start()) {
      Eventually.becomesTrue(
          "the log tells of the warm-up",
          Duration.ofSeconds(10),
          () -> server.log().contains("DEBUG WarmUp: warmed up with "));
      Metrics metrics = Metrics.scrape(server);
      assertThat(metrics.sum("loopgate_requests_total")).isZero();
      assertThat(metrics.sum("loopgate_io_operations_total")).isZero();
      assertThat(metrics.sum("loopgate_connections_open")).isZero();
      try (Stream<Path> files = Files.list(volumes)) {
        assertThat(files).isEmpty();
      }
      try (VolumeClient client = server.client("disk")) {
        Images.assertSame("the volume", client.readAll(), Files.readAllBytes(image));
      }
    }
  }

  @Test
  void sigtermDuringAWarmUpStopsAsEver() throws Exception {
    Path volumes = Files.createDirectory(folder.resolve("volumes"));
    try (ServerProcess server =
        ServerProcess.in(folder).warm().flags("--warm-up", "1m").startUnready()) {
      server.stop();
    }
    try (Stream<Path> files = Files.list(volumes)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.contains("warm"));
    }
  }

  @Test
  void theCacheOfATrainingIsUsed() throws Exception {
    Path cache = folder.resolve("loopgate.aot");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+UseSerialGC",
            "-Xmx128m",
            "-XX:AOTCacheOutput=" + cache,
            "-Xlog:aot*=off",
            "-Djava.io.tmpdir=" + folder,
            "-jar",
            ServerProcess.Builder.jar(),
            "train");
    try (Tools.Background training =
        new Tools.Background(Tools.builder(command).directory(folder.toFile()).start(), command)) {
      training.awaitExit(TRAINING).ok();
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).as("nothing else is left").containsExactly(cache);
    }
    // With "on" the JVM gives up where it cannot use the cache.
    try (ServerProcess server =
        ServerProcess.in(folder).jvm("-XX:AOTCache=" + cache, "-XX:AOTMode=on").start()) {
      assertThat(server.isAlive()).isTrue();
    }
  }
}
