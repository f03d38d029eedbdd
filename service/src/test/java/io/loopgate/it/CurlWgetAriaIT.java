package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Download and upload tools, as people call them. */
class CurlWgetAriaIT {
  private static final int SIZE = 8 * Images.MIB;

  @TempDir private Path folder;
  private byte[] content = Images.noise(6, SIZE);
  private Path image;
  private ServerProcess server;

  @BeforeEach
  void serve() throws Exception {
    image = Files.write(folder.resolve("disk.img"), content);
    server = ServerProcess.in(folder).volume("disk=" + image).start();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    Images.assertSame("the backing file", Files.readAllBytes(image), content);
  }

  @Test
  void curlReadsRanges() throws Exception {
    Tools.require("curl");
    assertThat(curlRange("100-299")).isEqualTo(Arrays.copyOfRange(content, 100, 300));
    assertThat(curlRange((SIZE - 7) + "-")).isEqualTo(Arrays.copyOfRange(content, SIZE - 7, SIZE));
    assertThat(curlRange("-512")).isEqualTo(Arrays.copyOfRange(content, SIZE - 512, SIZE));
    assertThat(curlRange((SIZE - 5) + "-" + (SIZE + 5)))
        .isEqualTo(Arrays.copyOfRange(content, SIZE - 5, SIZE));
  }

  private byte[] curlRange(String range) throws Exception {
    Path out = folder.resolve("range.bin");
    Files.deleteIfExists(out);
    assertThat(curl("-r", range, "-o", out, server.url("disk"))).isEqualTo("206");
    return Files.readAllBytes(out);
  }

  @Test
  void curlReadsManyRangesAtOnce() throws Exception {
    Tools.require("curl");
    var ranges = new StringBuilder();
    for (int i = 0; i < 64; i++) {
      int from = i * 100_003;
      ranges.append(i == 0 ? "" : ",").append(from).append('-').append(from + 999 + i);
    }
    Path head = folder.resolve("head.txt");
    Path body = folder.resolve("body.bin");
    assertThat(curl("-r", ranges, "-D", head, "-o", body, server.url("disk"))).isEqualTo("206");
    String type =
        Files.readAllLines(head).stream()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-type:"))
            .findFirst()
            .orElseThrow();
    List<Multipart.Part> parts = Multipart.parse(type, Files.readAllBytes(body));
    assertThat(parts).hasSize(64);
    for (int i = 0; i < 64; i++) {
      Multipart.Part part = parts.get(i);
      int from = i * 100_003;
      assertThat(part.contentRange()).isEqualTo("bytes %d-%d/%d", from, from + 999 + i, SIZE);
      assertThat(part.bytes()).isEqualTo(Arrays.copyOfRange(content, from, from + 1000 + i));
    }
  }

  @Test
  void curlResumesADownload() throws Exception {
    Tools.require("curl");
    Path out = partOf(SIZE / 3);
    assertThat(curl("-C", "-", "-o", out, server.url("disk"))).isEqualTo("206");
    Images.assertSame(out, image);
  }

  @Test
  void curlWrites() throws Exception {
    Tools.require("curl");
    byte[] bytes = Images.noise(7, 5000);
    Path file = Files.write(folder.resolve("upload.bin"), bytes);
    assertThat(curl("-T", file, server.url("disk"))).isEqualTo("200");
    overwrite(0, bytes, 0);
    assertThat(curl("-T", file, "-r", "70001-75000", server.url("disk") + "?lenient=1"))
        .isEqualTo("200");
    overwrite(70_001, bytes, 0);
    assertThat(curl("-T", file, server.url("disk") + "?offset=200000")).isEqualTo("200");
    overwrite(200_000, bytes, 0);
    byte[] longer = Images.noise(8, 400_000);
    Files.write(file, longer);
    assertThat(curl("-T", file, "-C", "300000", server.url("disk") + "?lenient=1"))
        .isEqualTo("200");
    overwrite(300_000, longer, 300_000);
    String command =
        "cat '" + file + "' | curl -sS -w '%{http_code}' -T - '" + server.url("disk") + "'";
    assertThat(Tools.ok("sh", "-c", command).stdout().strip()).isEqualTo("200");
    overwrite(0, longer, 0);
  }

  private void overwrite(int at, byte[] bytes, int from) {
    System.arraycopy(bytes, from, content, at, bytes.length - from);
  }

  @Test
  void curlRefusedLeavesAllAsItWas() throws Exception {
    Tools.require("curl");
    Path file = Images.noise(folder.resolve("upload.bin"), 9, 5000);
    assertThat(curl("-T", file, server.url("disk") + "?ofset=512")).isEqualTo("400");
    assertThat(curl("-T", file, server.url("disk") + "?offset=" + (SIZE - 1))).isEqualTo("416");
  }

  @Test
  void wgetResumesADownload() throws Exception {
    Tools.require("wget");
    Path out = partOf(SIZE / 2 + 1);
    Tools.ok("wget", "-nv", "-c", "-O", out, server.url("disk"));
    Images.assertSame(out, image);
    Tools.ok("wget", "-nv", "-c", "-O", out, server.url("disk"));
    Images.assertSame(out, image);
  }

  @Test
  void aria2ReadsInSegments() throws Exception {
    Tools.require("aria2c");
    Path out = folder.resolve("aria.img");
    Tools.ok(
        "aria2c",
        "-x4",
        "-s4",
        "-k1M",
        "--console-log-level=warn",
        "--no-conf=true",
        "--file-allocation=none",
        "-d",
        folder,
        "-o",
        "aria.img",
        server.url("disk"));
    Images.assertSame(out, image);
  }

  private Path partOf(int length) throws IOException {
    return Files.write(folder.resolve("part.img"), Arrays.copyOf(content, length));
  }

  /** Runs curl and returns the status of the answer. */
  private static String curl(Object... arguments) throws Exception {
    Object[] command = new Object[arguments.length + 4];
    System.arraycopy(new Object[] {"curl", "-sS", "-w", "%{http_code}"}, 0, command, 0, 4);
    System.arraycopy(arguments, 0, command, 4, arguments.length);
    String out = Tools.ok(command).stdout().strip();
    return out.substring(Math.max(0, out.length() - 3));
  }
}
