package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NBD clients over nbdkit's curl plugin read and write a volume. */
class NbdkitIT {
  private static final int SIZE = 16 * Images.MIB;

  @TempDir private Path folder;

  @Test
  void nbdcopyReads() throws Exception {
    NbdServer.require();
    Tools.require("nbdcopy", "nbdinfo");
    Path image = Images.patchy(folder.resolve("disk.img"), 3, SIZE);
    try (ServerProcess server =
            ServerProcess.in(folder).volume("disk=" + image + ",readonly").start();
        NbdServer nbd = NbdServer.start(folder, "read", server.url("disk"))) {
      assertThat(Tools.ok("nbdinfo", "--size", nbd.uri()).stdout().strip())
          .isEqualTo(Integer.toString(SIZE));
      String map = Tools.ok("nbdinfo", "--map", nbd.uri()).stdout().strip();
      assertThat(map.split("\\s+", -1)).startsWith("0", Integer.toString(SIZE), "0");
      Path copy = folder.resolve("copy.img");
      Tools.ok("nbdcopy", nbd.uri(), copy);
      Images.assertSame(copy, image);
    }
  }

  @Test
  void nbdcopyWrites() throws Exception {
    NbdServer.require();
    Tools.require("nbdcopy");
    Path source = Images.patchy(folder.resolve("source.img"), 4, SIZE);
    Path image = Images.noise(folder.resolve("disk.img"), 5, SIZE);
    try (ServerProcess server = ServerProcess.in(folder).volume("disk=" + image).start();
        NbdServer nbd = NbdServer.start(folder, "write", server.url("disk") + "?lenient=1")) {
      Tools.ok("nbdcopy", source, nbd.uri());
      Path back = folder.resolve("back.img");
      Tools.ok("nbdcopy", nbd.uri(), back);
      Images.assertSame(back, source);
    }
    Images.assertSame(image, source);
  }

  @Test
  void fioVerifies() throws Exception {
    NbdServer.require();
    Tools.require("fio");
    Tools.require(
        Tools.ok("fio", "--enghelp").stdout().lines().anyMatch(line -> line.strip().equals("nbd")),
        "fio has no nbd engine: a build with libnbd is needed");
    Path image = Images.sparse(folder.resolve("disk.img"), SIZE);
    List<String> job = new ArrayList<>();
    Collections.addAll(job, "fio", "--name=verify", "--rw=randwrite", "--bs=4k", "--size=4m");
    Collections.addAll(job, "--offset=1m", "--iodepth=8", "--verify=crc32c", "--randseed=7");
    Collections.addAll(job, "--verify_state_save=0", "--group_reporting");
    try (ServerProcess server = ServerProcess.in(folder).volume("disk=" + image).start();
        NbdServer nbd = NbdServer.start(folder, "fio", server.url("disk") + "?lenient=1")) {
      var written = new ArrayList<Object>(job);
      Collections.addAll(written, "--ioengine=nbd", "--uri=" + nbd.uri(), "--do_verify=1");
      Tools.ok(written.toArray());
    }
    var verified = new ArrayList<Object>(job);
    Collections.addAll(verified, "--ioengine=psync", "--filename=" + image, "--verify_only");
    Tools.ok(verified.toArray());
  }
}
