package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start finds, and what it says about what it cannot use. */
class StartupIT {
  @TempDir private Path folder;

  @Test
  void oneImageHasOneWriter() throws Exception {
    Path image = Images.noise(folder.resolve("disk.img"), 10, Images.MIB);
    Path other = Files.createDirectory(folder.resolve("other"));
    try (ServerProcess first = ServerProcess.in(folder).volume("disk=" + image).start()) {
      assertRefused(ServerProcess.in(other).volume("disk=" + image), image);
      assertRefused(ServerProcess.in(other).volume("disk=" + image + ",readonly"), image);
      assertThat(first.isAlive()).isTrue();
    }
  }

  @Test
  void oneImageHasManyReaders() throws Exception {
    Path image = Images.noise(folder.resolve("disk.img"), 11, Images.MIB);
    Path other = Files.createDirectory(folder.resolve("other"));
    String volume = "disk=" + image + ",readonly";
    try (ServerProcess first = ServerProcess.in(folder).volume(volume).start();
        ServerProcess second = ServerProcess.in(other).volume(volume).start();
        VolumeClient one = first.client("disk");
        VolumeClient two = second.client("disk")) {
      Images.assertSame("the volume", one.readAll(), Files.readAllBytes(image));
      Images.assertSame("the volume", two.readAll(), Files.readAllBytes(image));
      one.put(0, new byte[512]).expect(403);
      assertThat(one.put(0, new byte[512]).code()).isEqualTo("read-only");
      assertRefused(ServerProcess.in(other).volume("disk=" + image), image);
    }
  }

  @Test
  void aMissingFileIsNamed() throws Exception {
    Path image = folder.resolve("missing.img");
    assertRefused(ServerProcess.in(folder).volume("disk=" + image), image);
    assertThat(image).doesNotExist();
  }

  @Test
  void anEmptyFileIsNamed() throws Exception {
    Path image = Files.createFile(folder.resolve("empty.img"));
    assertRefused(ServerProcess.in(folder).volume("disk=" + image), image);
  }

  @Test
  void aRaggedFileIsNamed() throws Exception {
    Path image = Images.noise(folder.resolve("ragged.img"), 12, 1000);
    assertRefused(ServerProcess.in(folder).volume("disk=" + image), image);
    assertThat(image).hasSize(1000);
  }

  @Test
  void anUnreadableFileIsNamed() throws Exception {
    Path image = Images.noise(folder.resolve("secret.img"), 13, Images.MIB);
    Files.setPosixFilePermissions(image, PosixFilePermissions.fromString("---------"));
    assertRefused(unprivileged().volume("disk=" + image), image);
  }

  @Test
  void aReadOnlyFileIsServedReadOnlyOrNotAtAll() throws Exception {
    Path image = Images.noise(folder.resolve("readonly.img"), 14, Images.MIB);
    Files.setPosixFilePermissions(image, PosixFilePermissions.fromString("r--r--r--"));
    assertRefused(unprivileged().volume("disk=" + image), image);
    try (ServerProcess server = unprivileged().volume("disk=" + image + ",readonly").start();
        VolumeClient client = server.client("disk")) {
      Images.assertSame("the volume", client.readAll(), Files.readAllBytes(image));
    }
  }

  @Test
  void anUnknownKeyIsAUsageError() throws Exception {
    Path image = Images.noise(folder.resolve("disk.img"), 15, Images.MIB);
    Tools.Result result =
        ServerProcess.in(folder).volume("disk=" + image + ",colour=blue").runToExit();
    assertThat(result.exit()).as("%s", result).isEqualTo(2);
    assertThat(result.stderr()).contains("colour");

    Path config = Files.writeString(folder.resolve("loopgate.yaml"), "colour: blue\n");
    result = ServerProcess.in(folder).flags("--config", config.toString()).runToExit();
    assertThat(result.exit()).as("%s", result).isEqualTo(2);
    assertThat(result.stderr()).contains("colour");

    result = ServerProcess.in(folder).flags("--colour", "blue").runToExit();
    assertThat(result.exit()).as("%s", result).isEqualTo(2);
    assertThat(result.stderr()).contains("--colour");
  }

  @Test
  void createdVolumesAreFoundAgain() throws Exception {
    byte[] content = Images.noise(16, Images.MIB);
    try (ServerProcess server = ServerProcess.in(folder).start();
        VolumeClient client = server.client("kept")) {
      Answer created =
          client
              .json("POST", "/v1/volumes", "{\"id\":\"kept\",\"sizeBytes\":" + Images.MIB + "}")
              .expect(201);
      assertThat(created.header("Location").orElse("")).endsWith("/v1/volumes/kept");
      client.put(0, content).expect(200);
    }
    try (ServerProcess server = ServerProcess.in(folder).start();
        VolumeClient client = server.client("kept")) {
      Images.assertSame("the volume", client.readAll(), content);
      client.put(512, new byte[512]).expect(200);
      client.wire().exchange("DELETE", "/v1/volumes/kept").expect(204);
    }
    try (ServerProcess server = ServerProcess.in(folder).start();
        VolumeClient client = server.client("kept")) {
      assertThat(client.wire().exchange("GET", client.data()).expect(404).code())
          .isEqualTo("no-such-volume");
    }
  }

  @Test
  void withoutArgumentsThereIsADemo() throws Exception {
    try (ServerProcess server = ServerProcess.in(folder).demo().start();
        VolumeClient client = server.client("demo")) {
      JsonNode volumes =
          client.wire().exchange("GET", "/v1/volumes").expect(200).json().path("volumes");
      assertThat(volumes).hasSize(1);
      assertThat(volumes.get(0).path("id").asText()).isEqualTo("demo");
      assertThat(volumes.get(0).path("sizeBytes").asLong()).isEqualTo(Images.GIB);
      byte[] bytes = Images.noise(17, 5000);
      client.put(12_345, bytes).expect(200);
      Images.assertSame("what was written", client.read(12_345, 5000), bytes);
    }
    Path image = folder.resolve("data/demo.img");
    assertThat(image).hasSize(Images.GIB);
    long allocated = Long.parseLong(Tools.ok("stat", "-c", "%b", image).stdout().strip()) * 512;
    assertThat(allocated).isLessThan(16L * Images.MIB);
  }

  @Test
  void anIdleServerRests() throws Exception {
    Path image = Images.noise(folder.resolve("disk.img"), 18, Images.MIB);
    try (ServerProcess server = ServerProcess.in(folder).volume("disk=" + image).start();
        VolumeClient client = server.client("disk")) {
      client.readAll();
      var since = new AtomicLong(System.nanoTime());
      var used = new AtomicLong(server.cpuTime().toNanos());
      Eventually.becomesTrue(
          "an idle server uses less than a twentieth of a processor",
          Duration.ofSeconds(20),
          () -> {
            long elapsedNanos = System.nanoTime() - since.get();
            if (elapsedNanos < TimeUnit.SECONDS.toNanos(1)) {
              return false;
            }
            since.set(System.nanoTime());
            long cpuNanos = server.cpuTime().toNanos();
            return cpuNanos - used.getAndSet(cpuNanos) < elapsedNanos / 20;
          });
    }
  }

  /** The server as an ordinary user would run it: file permissions count, for root too. */
  private ServerProcess.Builder unprivileged() {
    ServerProcess.Builder builder = ServerProcess.in(folder);
    if (Tools.isRoot()) {
      Tools.require("setpriv");
      builder.through("setpriv", "--bounding-set", "-dac_override,-dac_read_search");
    }
    return builder;
  }

  /** One clear line on stderr that names the file, and exit code 1. */
  private static void assertRefused(ServerProcess.Builder builder, Path image)
      throws IOException, InterruptedException {
    Tools.Result result = builder.runToExit();
    assertThat(result.exit()).as("%s", result).isEqualTo(1);
    assertThat(result.stderr().lines().filter(line -> !line.isBlank()))
        .as("%s", result)
        .singleElement()
        .asString()
        .contains(image.toString());
  }
}
