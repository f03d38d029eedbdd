package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Full disks, files that shrink, and clients that stop. */
class FaultIT {
  private static final Duration CUT_WITHIN = Duration.ofSeconds(15);
  private static final long RSS_LIMIT = 300L * Images.MIB;

  @TempDir private Path folder;

  @Test
  void aFullDiskIsNoSpaceAndReadsGoOn() throws Exception {
    if (Tools.isRoot()) {
      onAFullFileSystem();
    } else {
      aboveAFileSizeLimit();
    }
  }

  private void onAFullFileSystem() throws Exception {
    Tools.require("mkfs.ext4", "mount", "umount");
    Path disk = Images.sparse(folder.resolve("small.img"), 24L * Images.MIB);
    Tools.ok("mkfs.ext4", "-q", "-F", "-m", "0", disk);
    Path mounted = Files.createDirectory(folder.resolve("small"));
    Tools.ok("mount", "-o", "loop", disk, mounted);
    try {
      Path image = Images.sparse(mounted.resolve("disk.img"), 64L * Images.MIB);
      try (ServerProcess server = ServerProcess.in(folder).volume("disk=" + image).start()) {
        assertNoSpace(server, 64);
      }
    } finally {
      Tools.ok("umount", mounted);
    }
  }

  private void aboveAFileSizeLimit() throws Exception {
    Tools.require("prlimit");
    Path image = Images.sparse(folder.resolve("disk.img"), 64L * Images.MIB);
    try (ServerProcess server =
        ServerProcess.in(folder)
            .through("prlimit", "--fsize=" + 16 * Images.MIB)
            .volume("disk=" + image)
            .start()) {
      assertNoSpace(server, 64);
    }
  }

  private static void assertNoSpace(ServerProcess server, int mebibytes) throws IOException {
    try (VolumeClient client = server.client("disk")) {
      int full = 0;
      while (full < mebibytes) {
        long offset = (long) full * Images.MIB;
        Answer answer = client.put(offset, Images.noise(full, Images.MIB));
        if (answer.status() != 200) {
          assertThat(answer.expect(507).code()).isEqualTo("no-space");
          break;
        }
        full++;
      }
      assertThat(full).as("MiB written").isBetween(4, mebibytes - 1);
      for (int i = 0; i < full; i++) {
        byte[] read = client.read((long) i * Images.MIB, Images.MIB);
        Images.assertSame("MiB " + i, read, Images.noise(i, Images.MIB));
      }
      byte[] again = Images.noise(99, 4096);
      client.put(0, again).expect(200);
      Images.assertSame("what was rewritten", client.read(0, 4096), again);
    }
    assertThat(server.isAlive()).isTrue();
  }

  @Test
  void aFileCutBeneathIsAnError() throws Exception {
    byte[] content = Images.noise(18, 4 * Images.MIB);
    Path image = Files.write(folder.resolve("disk.img"), content);
    try (ServerProcess server =
            ServerProcess.in(folder)
                .volume("disk=" + image + ",engine=workers:4,nowait=auto")
                .start();
        VolumeClient client = server.client("disk")) {
      client.read(3 * Images.MIB, 4096);
      Images.resize(image, 2 * Images.MIB);
      assertThat(client.get("bytes=3145728-3149823").expect(500).code())
          .isEqualTo("backing-truncated");
      byte[] half = client.read(0, 2 * Images.MIB);
      Images.assertSame("what is left", half, Arrays.copyOf(content, 2 * Images.MIB));
      assertNeverComplete(server);
      client.read(4096, 4096);
      assertThat(server.isAlive()).isTrue();
      Images.resize(image, 4 * Images.MIB);
    }
  }

  /** A GET of all has to fail or to break off: zeroes in place of lost bytes are corruption. */
  private static void assertNeverComplete(ServerProcess server) throws IOException {
    try (VolumeClient client = server.client("disk")) {
      Answer answer;
      try {
        answer = client.wire().exchange("GET", client.data());
      } catch (IOException e) {
        return;
      }
      assertThat(answer.expect(500).code()).isEqualTo("backing-truncated");
    }
  }

  @Test
  void clientsThatStopReadingAreCutAndCostLittle() throws Exception {
    Path image = Images.sparse(folder.resolve("disk.img"), 4 * Images.GIB);
    try (ServerProcess server =
        ServerProcess.in(folder).volume("disk=" + image).flags("--stall-timeout", "2s").start()) {
      var stalled = new ArrayList<Wire>();
      try {
        for (int i = 0; i < 32; i++) {
          Wire wire = new Wire(server.data(), 64 * Images.KIB);
          stalled.add(wire);
          wire.send("GET", "/v1/volumes/disk/data", List.of(), new byte[0]);
          wire.receiveHead().expect(200);
        }
        Eventually.becomesTrue(
            "stalled connections are cut",
            CUT_WITHIN,
            () -> {
              assertThat(server.rssBytes()).isLessThan(RSS_LIMIT);
              return stalled.stream().noneMatch(wire -> isOpen(server.data().getPort(), wire));
            });
      } finally {
        for (Wire wire : stalled) {
          wire.close();
        }
      }
      try (VolumeClient client = server.client("disk")) {
        client.read(0, 4096);
      }
    }
  }

  /** Whether the server's side of a connection is established, by the kernel's own table. */
  private static boolean isOpen(int serverPort, Wire wire) {
    String ends = ":%04X ".formatted(serverPort);
    String peer = ":%04X 01 ".formatted(wire.localPort());
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      try {
        for (String line : Files.readAllLines(Path.of(table))) {
          int local = line.indexOf(ends);
          if (local >= 0 && line.indexOf(peer, local) > local) {
            return true;
          }
        }
      } catch (IOException e) {
        assertThat(table).as("%s", e).endsWith("6");
      }
    }
    return false;
  }

  @Test
  void aClientThatStopsSendingIsCut() throws Exception {
    byte[] content = Images.noise(19, 2 * Images.MIB);
    Path image = Files.write(folder.resolve("disk.img"), content);
    try (ServerProcess server =
        ServerProcess.in(folder)
            .volume("disk=" + image + ",engine=workers:4")
            .flags("--stall-timeout", "2s")
            .start()) {
      try (Wire wire = new Wire(server.data())) {
        long start = System.nanoTime();
        String target = "/v1/volumes/disk/data?offset=1048576";
        wire.sendPart("PUT", target, Images.MIB, Images.noise(20, Images.MIB / 2));
        try {
          assertThat(wire.receive("PUT").expect(408).closes()).isTrue();
        } catch (ClosedBeforeAnswerException e) {
          assertThat(e).isNotNull();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .isBetween(Duration.ofSeconds(1), CUT_WITHIN);
      }
      try (VolumeClient client = server.client("disk")) {
        byte[] untouched = client.read(0, Images.MIB);
        Images.assertSame("the other half", untouched, Arrays.copyOf(content, Images.MIB));
        client.put(Images.MIB, Images.noise(21, Images.MIB)).expect(200);
        Images.assertSame(
            "the half written again",
            client.read(Images.MIB, Images.MIB),
            Images.noise(21, Images.MIB));
      }
    }
  }
}
