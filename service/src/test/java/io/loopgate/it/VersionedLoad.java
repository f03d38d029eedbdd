package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that write versions of blocks to a volume, read them back, and expect every one to be
 * answered well.
 *
 * <p>Each writer has every n-th block, so that neighbours come from different connections at about
 * the same time. Stopping fails the test if a client met anything but success.
 */
final class VersionedLoad implements AutoCloseable {
  /** One in so many writes is to be durable. */
  private static final int DURABLE_EVERY = 8;

  /** How long who is told to come back waits: less than what the server asks for. */
  private static final long PAUSE_NANOS = 5_000_000;

  private final ServerProcess server;
  private final String volume;
  private final VersionedBlocks blocks;
  private final int writers;
  private final boolean patient;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicBoolean failed = new AtomicBoolean();
  private final LongAdder answered = new LongAdder();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> running = new ArrayList<>();

  /** Starts so many writers and half as many readers. */
  VersionedLoad(ServerProcess server, String volume, VersionedBlocks blocks, int writers) {
    this(server, volume, blocks, writers, false);
  }

  /** Starts the same; {@code patient}: who is told to come back (503) does. */
  VersionedLoad(
      ServerProcess server, String volume, VersionedBlocks blocks, int writers, boolean patient) {
    this.patient = patient;
    this.server = server;
    this.volume = volume;
    this.blocks = blocks;
    this.writers = writers;
    for (int i = 0; i < writers; i++) {
      int first = i;
      start(client -> write(client, first, new Random(first)));
    }
    for (int i = 0; i < writers / 2; i++) {
      int seed = i;
      start(client -> read(client, new Random(seed)));
    }
  }

  private interface Client {
    void run(VolumeClient client) throws IOException;
  }

  private void start(Client client) {
    running.add(
        threads.submit(
            () -> {
              try (VolumeClient connection = server.client(volume)) {
                client.run(connection);
              } catch (Throwable e) {
                failed.set(true);
                throw e;
              }
              return null;
            }));
  }

  private void write(VolumeClient client, int first, Random random) throws IOException {
    int own = blocks.count() / writers;
    for (int turn = 0; !stopped.get(); turn++) {
      int block = first + writers * (turn % own);
      put(client, block, turn % DURABLE_EVERY == 0);
      blocks.acknowledge(block);
      int other = first + writers * random.nextInt(own);
      blocks.verify(other, get(client, other, 1));
      answered.add(2);
    }
  }

  private void put(VolumeClient client, int block, boolean durable) throws IOException {
    byte[] bytes = blocks.next(block);
    String range = VolumeClient.contentRange((long) block * VersionedBlocks.BLOCK, bytes.length);
    String target = client.data() + (durable ? "" : "?flush=n");
    insist(() -> client.wire().exchange("PUT", target, List.of(range), bytes)).expect(200);
  }

  private byte[] get(VolumeClient client, int block, int count) throws IOException {
    long first = (long) block * VersionedBlocks.BLOCK;
    long last = first + (long) count * VersionedBlocks.BLOCK - 1;
    return insist(() -> client.get("bytes=" + first + "-" + last)).expect(206).body();
  }

  private interface Request {
    Answer send() throws IOException;
  }

  private Answer insist(Request request) throws IOException {
    Answer answer = request.send();
    while (patient && answer.status() == 503 && !failed.get()) {
      assertThat(answer.code()).isEqualTo("overloaded");
      assertThat(answer.header("Retry-After")).isPresent();
      LockSupport.parkNanos(PAUSE_NANOS);
      answer = request.send();
    }
    return answer;
  }

  /** Reads across blocks that are being written: what comes is undefined, but it has to come. */
  private void read(VolumeClient client, Random random) throws IOException {
    while (!stopped.get()) {
      int count = 1 + random.nextInt(16);
      int block = random.nextInt(blocks.count() - count);
      get(client, block, count);
      answered.increment();
    }
  }

  /** Returns how many requests were answered. */
  long answered() {
    return answered.sum();
  }

  /** Waits for so many more answers; fails the test as soon as a client has failed. */
  void awaitAnswers(long more) throws IOException, InterruptedException {
    long wanted = answered() + more;
    Eventually.becomesTrue(
        more + " more answers of " + volume,
        Tools.TIMEOUT,
        () -> failed.get() || answered() >= wanted);
    if (failed.get()) {
      close();
    }
  }

  /** Stops the clients; fails the test if one of them has failed. */
  @Override
  public void close() throws IOException {
    stopped.set(true);
    AssertionError failure = null;
    for (Future<?> client : running) {
      try {
        client.get();
      } catch (ExecutionException e) {
        if (failure == null) {
          failure = new AssertionError("a client of " + volume + " failed", e.getCause());
        }
      } catch (InterruptedException e) {
        throw Tools.interrupted(e);
      }
    }
    threads.close();
    if (failure != null) {
      throw failure;
    }
  }
}
