package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SIGTERM under load: what was accepted is answered completely, what was promised is there. */
class SigtermIT {
  private static final int CONNECTIONS = 12;
  private static final int BLOCKS = 4096;
  private static final int BEFORE = 400;

  @TempDir private Path folder;

  private final VersionedBlocks blocks = new VersionedBlocks(BLOCKS);
  private final AtomicLong answers = new AtomicLong();
  private volatile long terminatedNanos = Long.MAX_VALUE;

  @ParameterizedTest
  @ValueSource(strings = {"engine=workers:4,nowait=auto", "engine=workers:4,direct=on"})
  void nothingAcceptedIsLost(String options) throws Exception {
    long size = (long) BLOCKS * VersionedBlocks.BLOCK;
    Path image = Images.sparse(folder.resolve("disk.img"), size);
    ServerProcess server =
        ServerProcess.in(folder).volume("disk=" + image + ",blockSize=4096," + options).start();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var clients = new ArrayList<Future<Void>>();
      for (int i = 0; i < CONNECTIONS; i++) {
        clients.add(threads.submit(client(server, i)));
      }
      try {
        Eventually.becomesTrue(
            "requests are answered", Duration.ofSeconds(30), () -> answers.get() >= BEFORE);
        terminatedNanos = System.nanoTime();
        server.stop();
      } finally {
        server.kill9();
      }
      for (Future<Void> client : clients) {
        client.get();
      }
    }
    blocks.verify(Files.readAllBytes(image));
    assertThat(blocks.acknowledgements()).isPositive();
  }

  /** A client that comes back after each lost connection until nobody listens any more. */
  private Callable<Void> client(ServerProcess server, int number) {
    return () -> {
      var random = new Random(number);
      while (true) {
        try (VolumeClient client = server.client("disk")) {
          while (request(client, number, random)) {
            answers.incrementAndGet();
          }
        } catch (ConnectException e) {
          assertThat(terminatedNanos).as("refused before SIGTERM").isLessThan(System.nanoTime());
          return null;
        } catch (ClosedBeforeAnswerException e) {
          // Not accepted: request() made sure that it was sent after SIGTERM.
        }
      }
    };
  }

  /** Sends one request; false when the answer says that the connection ends. */
  private boolean request(VolumeClient client, int number, Random random) throws IOException {
    long startNanos = System.nanoTime();
    try {
      Answer answer =
          switch (number % 4) {
            case 0 -> client.wire().exchange("GET", client.data());
            case 1, 2 -> put(client, number, random);
            default -> client.get("bytes=" + random.nextInt(BLOCKS * 4000) + "-");
          };
      assertThat(answer.status()).as("%s", answer).isIn(List.of(200, 206, 503));
      if (answer.status() == 503) {
        assertThat(answer.code()).isEqualTo("draining");
        assertThat(answer.header("Retry-After")).isPresent();
      }
      return !answer.closes();
    } catch (ClosedBeforeAnswerException e) {
      if (startNanos < terminatedNanos) {
        throw new AssertionError("a request sent before SIGTERM was not answered", e);
      }
      throw e;
    }
  }

  private Answer put(VolumeClient client, int number, Random random) throws IOException {
    int block = number + CONNECTIONS * random.nextInt(BLOCKS / CONNECTIONS);
    Answer answer = client.putBlocks(block, blocks.next(block));
    if (answer.status() == 200) {
      blocks.acknowledge(block);
    } else {
      blocks.refused(block);
    }
    return answer;
  }
}
