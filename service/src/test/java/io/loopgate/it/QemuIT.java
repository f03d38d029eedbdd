package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** qemu's own http driver reads a volume as it is, whatever format the bytes have. */
class QemuIT {
  private static final long SIZE = 48L * Images.MIB;

  @TempDir private Path folder;

  @Test
  void rawAndQcow2AreReadOverHttp() throws Exception {
    Tools.require("qemu-img", "qemu-io");
    Tools.require(hasHttpDriver(), "qemu has no http driver: apt-get install qemu-block-extra");
    Path raw = Images.patchy(folder.resolve("raw.img"), 1, SIZE);
    byte[] block = new byte[64 * Images.KIB];
    Arrays.fill(block, (byte) 0xab);
    Images.write(raw, 5L * Images.MIB, block);
    Path reference = Files.copy(raw, folder.resolve("reference.img"));
    Path qcow2 = folder.resolve("disk.qcow2");
    Tools.ok("qemu-img", "convert", "-f", "raw", "-O", "qcow2", raw, qcow2);
    Images.resize(qcow2, (Files.size(qcow2) + 4095) / 4096 * 4096);

    try (ServerProcess server =
        ServerProcess.in(folder)
            .volume("raw=" + raw + ",readonly")
            .volume("qcow2=" + qcow2 + ",readonly,direct=on,engine=workers:4")
            .start()) {
      assertInfo("raw", server.url("raw"));
      assertInfo("qcow2", server.url("qcow2"));
      for (String format : new String[] {"raw", "qcow2"}) {
        String url = server.url(format);
        Path copy = folder.resolve(format + ".copy");
        Tools.ok("qemu-img", "convert", "-f", format, "-O", "raw", url, copy);
        Images.assertSame(copy, reference);
        Tools.ok("qemu-img", "compare", "-f", format, "-F", "raw", url, reference);
        Tools.Result read =
            Tools.ok("qemu-io", "-r", "-f", format, "-c", "read -P 0xab 5M 64k", url);
        assertThat(read.stdout()).contains("read 65536/65536").doesNotContain("failed");
      }
      copyOnWrite(server.url("raw"), reference);
    }
  }

  /** A pattern that is not there is noticed: the check above can fail. */
  @Test
  void qemuIoNoticesAWrongPattern() throws Exception {
    Tools.require("qemu-io");
    Tools.require(hasHttpDriver(), "qemu has no http driver: apt-get install qemu-block-extra");
    Path raw = Images.noise(folder.resolve("raw.img"), 2, Images.MIB);
    try (ServerProcess server =
        ServerProcess.in(folder).volume("raw=" + raw + ",readonly").start()) {
      Tools.Result read =
          Tools.run(
              Tools.TIMEOUT,
              "qemu-io",
              "-r",
              "-f",
              "raw",
              "-c",
              "read -P 0xab 0 64k",
              server.url("raw"));
      assertThat(read.stdout() + read.stderr()).contains("Pattern verification failed");
    }
  }

  /** A guest disk that is based on a URL: reads come from the volume, writes stay local. */
  private void copyOnWrite(String url, Path reference) throws Exception {
    Path overlay = folder.resolve("overlay.qcow2");
    Tools.ok("qemu-img", "create", "-f", "qcow2", "-F", "raw", "-b", url, overlay);
    Tools.ok("qemu-io", "-f", "qcow2", "-c", "write -P 0x5a 5M 4k", overlay);
    Path merged = folder.resolve("overlay.raw");
    // One coroutine: with its usual eight, qemu-img 7.2 over an overlay now and then waits for ever
    // after it has got every answer, from this server and from nginx alike (4 runs of 11; none of
    // 12 with one).
    Tools.ok("qemu-img", "convert", "-m", "1", "-f", "qcow2", "-O", "raw", overlay, merged);
    byte[] block = new byte[4 * Images.KIB];
    Arrays.fill(block, (byte) 0x5a);
    Path expected = Files.copy(reference, folder.resolve("expected.raw"));
    Images.write(expected, 5L * Images.MIB, block);
    Images.assertSame(merged, expected);
  }

  private static void assertInfo(String format, String url) throws Exception {
    Tools.Result info = Tools.ok("qemu-img", "info", "--output=json", "-f", format, url);
    var document = new JsonMapper().readTree(info.stdout());
    assertThat(document.path("format").asText()).isEqualTo(format);
    assertThat(document.path("virtual-size").asLong()).isEqualTo(SIZE);
  }

  /** The refusal of an address where nothing listens tells whether the driver is there. */
  private static boolean hasHttpDriver() throws Exception {
    Tools.Result info = Tools.run(Tools.TIMEOUT, "qemu-img", "info", "http://127.0.0.1:1/");
    return info.stderr().contains("CURL");
  }
}
