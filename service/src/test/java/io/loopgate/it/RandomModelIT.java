package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random requests of all kinds leave a volume exactly as they leave an array of bytes. */
class RandomModelIT {
  private static final int OPERATIONS = 600;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "engine=single",
        "engine=single,direct=on",
        "engine=workers:4",
        "engine=workers:4,direct=on",
        "engine=inline,nowait=auto",
        "engine=inline,nowait=auto,direct=on"
      })
  void aVolumeIsAnArrayOfBytes(String options) throws Exception {
    long seed = Long.getLong("loopgate.seed", System.nanoTime());
    byte[] content = Images.noise(seed, Images.MIB);
    Path image = Files.write(folder.resolve("disk.img"), content);
    System.out.println("RandomModelIT " + options + " seed " + seed);
    try (ServerProcess server =
            ServerProcess.in(folder)
                .flags("--unsafe-inline")
                .volume("disk=" + image + "," + options)
                .start();
        VolumeClient client = server.client("disk")) {
      var model = new VolumeModel(client, content, new Random(seed));
      run(model, seed);
      Images.assertSame("the volume", client.readAll(), content);
    }
    Images.assertSame("the backing file", Files.readAllBytes(image), content);
  }

  private static void run(VolumeModel model, long seed) throws IOException {
    for (int i = 0; i < OPERATIONS; i++) {
      try {
        model.step();
      } catch (AssertionError | IOException e) {
        throw new AssertionError("operation %d of seed %d: %s".formatted(i, seed, model.last()), e);
      }
    }
    assertThat(model.kinds()).as("kinds of operation tried").hasSize(VolumeModel.KINDS);
  }
}
