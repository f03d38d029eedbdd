package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An acknowledged block survives the process, whole. */
class CrashIT {
  private static final int ROUNDS = 20;
  private static final int CONNECTIONS = 4;
  private static final int BLOCKS = 256;
  private static final List<String> OPTIONS =
      List.of(
          "engine=workers:4,nowait=auto",
          "engine=workers:4,direct=on",
          "engine=single",
          "engine=auto");

  @TempDir private Path folder;

  @Test
  void acknowledgedBlocksSurviveKill9() throws Exception {
    long seed = System.nanoTime();
    System.out.println("CrashIT seed " + seed);
    var random = new Random(seed);
    long size = (long) BLOCKS * VersionedBlocks.BLOCK;
    Path image = Images.sparse(folder.resolve("disk.img"), size);
    var blocks = new VersionedBlocks(BLOCKS);
    long acknowledged = 0;
    for (int round = 0; round < ROUNDS; round++) {
      ServerProcess server = start(image, OPTIONS.get(round % OPTIONS.size()));
      try (VolumeClient client = server.client("disk")) {
        blocks.verify(client.readAll());
        acknowledged += writeUntilKilled(server, blocks, random);
      } finally {
        server.kill9();
      }
      blocks.verify(Files.readAllBytes(image));
    }
    assertThat(acknowledged).as("writes acknowledged in all rounds").isGreaterThan(ROUNDS * 10);
    try (ServerProcess server = start(image, OPTIONS.get(0));
        VolumeClient client = server.client("disk")) {
      blocks.verify(client.readAll());
    }
  }

  private ServerProcess start(Path image, String options) throws Exception {
    return ServerProcess.in(folder).volume("disk=" + image + ",blockSize=4096," + options).start();
  }

  /** Loads the server, kills it in the midst, and returns how many writes it acknowledged. */
  private static long writeUntilKilled(ServerProcess server, VersionedBlocks blocks, Random random)
      throws Exception {
    var acknowledged = new AtomicLong();
    var killed = new AtomicBoolean();
    long enough = 20L + random.nextInt(400);
    long deadline = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var writers = new ArrayList<Future<?>>();
      for (int i = 0; i < CONNECTIONS; i++) {
        int first = i;
        long seed = random.nextLong();
        writers.add(
            threads.submit(
                () -> {
                  write(server, blocks, first, new Random(seed), acknowledged, killed);
                  return null;
                }));
      }
      Eventually.becomesTrue(
          "writes are acknowledged",
          Duration.ofSeconds(30),
          () -> acknowledged.get() >= enough || System.nanoTime() > deadline);
      killed.set(true);
      server.kill9();
      for (Future<?> writer : writers) {
        writer.get();
      }
    }
    return acknowledged.get();
  }

  /** Writes the blocks of one connection until the connection breaks. */
  private static void write(
      ServerProcess server,
      VersionedBlocks blocks,
      int first,
      Random random,
      AtomicLong acknowledged,
      AtomicBoolean killed) {
    try (VolumeClient client = server.client("disk")) {
      while (true) {
        int block = first + CONNECTIONS * random.nextInt(BLOCKS / CONNECTIONS);
        Answer answer = client.putBlocks(block, blocks.next(block)).expect(200);
        assertThat(answer.header("Block-Durable")).contains("true");
        blocks.acknowledge(block);
        acknowledged.incrementAndGet();
      }
    } catch (IOException e) {
      assertThat(killed).as("killed before %s\n%s", e, server).isTrue();
    }
  }
}
