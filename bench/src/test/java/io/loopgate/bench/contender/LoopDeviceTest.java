package io.loopgate.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.loopgate.bench.control.Stop;
import io.loopgate.bench.machine.Tool;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopDeviceTest {
  private static final long SIZE_BYTES = 1 << 20;

  @TempDir private Path folder = Path.of("");

  private Path image() throws IOException {
    Path image = folder.resolve("a.img");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(SIZE_BYTES);
    }
    return image;
  }

  private static LoopDevice attach(Path image) throws IOException {
    try {
      return LoopDevice.attach(image, false);
    } catch (IOException e) {
      if ("true".equals(System.getenv("CI"))) {
        throw e;
      }
      return abort("no loop device here: " + e.getMessage());
    }
  }

  private static String attached(Path image) {
    return Tool.run(List.of("losetup", "--associated", image.toString()), new Stop()).out();
  }

  @Test
  void aDeviceIsThereUntilItIsClosed() throws IOException {
    Path image = image();
    try (LoopDevice device = attach(image)) {
      assertThat(device.sizeBytes()).isEqualTo(SIZE_BYTES);
      assertThat(attached(image)).startsWith(device.path() + ":");
      // The kernel has been told already: nothing that ends this process can leave it behind.
      Path autoclear = Path.of("/sys/block", String.valueOf(device.path().getFileName()));
      assertThat(Files.readString(autoclear.resolve("loop/autoclear"))).isEqualTo("1\n");
    }
    assertThat(attached(image)).isEmpty();
  }

  @Test
  void aFileThatIsNotThereIsRefusedWithAReason() {
    assertThatThrownBy(() -> LoopDevice.attach(folder.resolve("none.img"), true))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("losetup");
  }
}
