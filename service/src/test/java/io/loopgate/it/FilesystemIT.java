package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file system lives on a volume: nbdkit, nbdfuse and a loop device make it a disk. */
class FilesystemIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path folder;

  @Test
  void ext4OnAVolumeIsCleanAndComplete() throws Exception {
    Tools.requireRoot("mounts a file system");
    NbdServer.require();
    Tools.require("nbdfuse", "losetup", "mkfs.ext4", "mount", "umount", "e2fsck");
    Tools.require(
        Files.exists(Path.of("/dev/fuse")) && Files.exists(Path.of("/dev/loop-control")),
        "no /dev/fuse or no /dev/loop-control on this machine");
    Path image = Images.sparse(folder.resolve("disk.img"), 64L * Images.MIB);
    Path source = ServerProcess.repository().resolve("service/src");

    try (ServerProcess server = ServerProcess.in(folder).volume("disk=" + image).start();
        NbdServer nbd = NbdServer.start(folder, "disk", server.url("disk") + "?lenient=1")) {
      withFuse(nbd, file -> withLoop(file, device -> fill(device, source)));
    }

    Tools.Result check = Tools.ok("e2fsck", "-fn", image);
    assertThat(check.stdout()).doesNotContain("Fix?");
    withMount(
        List.of("-o", "loop,ro", image.toString()),
        mounted -> assertSameTree(mounted.resolve("src"), source));
  }

  private interface Step {
    void on(Path path) throws Exception;
  }

  private void withFuse(NbdServer nbd, Step step) throws Exception {
    Path point = Files.createDirectory(folder.resolve("fuse"));
    Path disk = point.resolve("disk");
    try (Tools.Background fuse = Tools.start("nbdfuse", disk, nbd.uri())) {
      try {
        Eventually.becomesTrue("nbdfuse shows a file: " + fuse, PATIENCE, () -> Files.exists(disk));
        step.on(disk);
      } finally {
        Tools.run(Tools.TIMEOUT, "umount", point);
      }
      fuse.awaitExit(PATIENCE).ok();
    }
  }

  private static void withLoop(Path file, Step step) throws Exception {
    String device = Tools.ok("losetup", "--find", "--show", file).stdout().strip();
    try {
      step.on(Path.of(device));
    } finally {
      Tools.run(Tools.TIMEOUT, "losetup", "--detach", device);
      Eventually.becomesTrue(device + " is free", PATIENCE, () -> isFree(device));
    }
  }

  private static boolean isFree(String device) {
    String name = device.substring(device.lastIndexOf('/') + 1);
    return !Files.exists(Path.of("/sys/block/" + name + "/loop"));
  }

  private void fill(Path device, Path source) throws Exception {
    Tools.ok("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", device);
    withMount(
        List.of(device.toString()),
        mounted -> {
          Tools.ok("cp", "-a", source, mounted);
          Tools.ok("sync", "-f", mounted);
          assertSameTree(mounted.resolve("src"), source);
        });
  }

  private void withMount(List<String> what, Step step) throws Exception {
    Path point = folder.resolve("mounted");
    Files.createDirectories(point);
    Object[] command = new Object[what.size() + 2];
    command[0] = "mount";
    System.arraycopy(what.toArray(), 0, command, 1, what.size());
    command[command.length - 1] = point;
    Tools.ok(command);
    try {
      step.on(point);
    } finally {
      Tools.ok("umount", point);
    }
  }

  private static void assertSameTree(Path actual, Path expected) throws IOException {
    List<String> names = names(expected);
    assertThat(names).hasSizeGreaterThan(20);
    assertThat(names(actual)).isEqualTo(names);
    for (String name : names) {
      if (Files.isRegularFile(expected.resolve(name))) {
        Images.assertSame(actual.resolve(name), expected.resolve(name));
      }
    }
  }

  private static List<String> names(Path root) throws IOException {
    try (var paths = Files.walk(root)) {
      return paths.map(path -> root.relativize(path).toString()).sorted().toList();
    }
  }
}
