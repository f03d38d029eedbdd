package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue that is busy when the server ends: what it completed is there. */
class QueueIT {
  private static final int DEPTH = 16;
  private static final int BLOCKS = 1024;
  private static final int BEFORE = 400;

  @TempDir private Path folder;

  private final VersionedBlocks blocks = new VersionedBlocks(BLOCKS);
  private final AtomicLong completions = new AtomicLong();

  @ParameterizedTest
  @ValueSource(strings = {"engine=workers:4,nowait=auto", "engine=workers:4,direct=on"})
  void sigtermEndsItBehindWhatIsDue(String options) throws Exception {
    Path image = image();
    ServerProcess server = server(image, options);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        QueueClient idle = queue(server);
        QueueClient busy = queue(server)) {
      assertThat(idle.status()).isEqualTo(200);
      Future<Boolean> writer = threads.submit(() -> writeToTheEnd(busy));
      awaitCompletions();
      server.stop();
      assertThat(idle.take()).isEmpty();
      assertThat(writer.get()).as("the answer ended as it should").isTrue();
    } finally {
      server.kill9();
    }
    blocks.verify(Files.readAllBytes(image));
  }

  @ParameterizedTest
  @ValueSource(strings = {"engine=workers:4,nowait=auto", "engine=workers:4,direct=on"})
  void whatWasCompletedSurvivesSigkill(String options) throws Exception {
    Path image = image();
    ServerProcess server = server(image, options);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        QueueClient busy = queue(server)) {
      Future<Boolean> writer = threads.submit(() -> writeToTheEnd(busy));
      awaitCompletions();
      server.kill9();
      assertThat(writer.get()).isFalse();
    } finally {
      server.kill9();
    }
    blocks.verify(Files.readAllBytes(image));
    assertThat(blocks.acknowledgements()).isPositive();
  }

  private Path image() throws IOException {
    return Images.sparse(folder.resolve("disk.img"), (long) BLOCKS * VersionedBlocks.BLOCK);
  }

  private ServerProcess server(Path image, String options) throws Exception {
    return ServerProcess.in(folder).volume("disk=" + image + ",blockSize=4096," + options).start();
  }

  private static QueueClient queue(ServerProcess server) throws IOException {
    return QueueClient.open(server.data().getHost(), server.data().getPort(), "disk");
  }

  private void awaitCompletions() throws InterruptedException {
    Eventually.becomesTrue(
        "commands are completed", Duration.ofSeconds(30), () -> completions.get() >= BEFORE);
  }

  /**
   * Keeps writes in flight, a block each; tells whether the answer ended well and not the
   * connection.
   */
  private boolean writeToTheEnd(QueueClient queue) throws IOException {
    Random random = new Random(1);
    int[] inFlight = new int[DEPTH];
    for (int lane = 0; lane < DEPTH; lane++) {
      inFlight[lane] = gather(queue, lane, random);
    }
    boolean connected = true;
    try {
      queue.send();
      for (Optional<QueueWire.Completion> next = queue.take();
          next.isPresent();
          next = queue.take()) {
        int lane = (int) next.get().tag();
        assertThat(next.get().status()).isIn(0, 503);
        if (next.get().status() == 0) {
          blocks.acknowledge(inFlight[lane]);
        } else {
          blocks.refused(inFlight[lane]);
        }
        completions.incrementAndGet();
        inFlight[lane] = gather(queue, lane, random);
        queue.send();
      }
    } catch (IOException e) {
      connected = false;
    }
    if (connected) {
      // A command without a completion was not begun.
      for (int block : inFlight) {
        blocks.refused(block);
      }
    }
    return connected;
  }

  private int gather(QueueClient queue, int lane, Random random) {
    int block = lane + DEPTH * random.nextInt(BLOCKS / DEPTH);
    queue.write(lane, (long) block * VersionedBlocks.BLOCK, blocks.next(block), 0);
    return block;
  }
}
