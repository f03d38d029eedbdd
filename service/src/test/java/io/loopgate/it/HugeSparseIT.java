package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds for a small image holds for a huge one: memory, extents, and zeroing. */
class HugeSparseIT {
  private static final long SIZE = 64 * Images.GIB;
  private static final long RSS_LIMIT = 300L * Images.MIB;
  private static final int TRIES = 5;

  @TempDir private Path folder;

  @Test
  void aHugeSparseVolumeIsCheap() throws Exception {
    Path image = Images.sparse(folder.resolve("huge.img"), SIZE);
    try (ServerProcess server = ServerProcess.in(folder).volume("huge=" + image).start();
        VolumeClient client = server.client("huge")) {
      Map<Long, byte[]> pieces = scatter(client, 40);
      pageThroughExtents(client, pieces);
      streamWhole(server, client, pieces);
      zeroWhole(client);
    }
  }

  /** Writes pieces of noise all over the volume. */
  private static Map<Long, byte[]> scatter(VolumeClient client, int count) throws IOException {
    var pieces = new TreeMap<Long, byte[]>();
    for (int i = 0; i < count; i++) {
      long offset = SIZE / count * i + 4096L * i;
      byte[] bytes = Images.noise(offset, 64 * Images.KIB);
      client.put(offset, bytes).expect(200);
      pieces.put(offset, bytes);
    }
    return pieces;
  }

  private static void pageThroughExtents(VolumeClient client, Map<Long, byte[]> pieces)
      throws IOException {
    var data = new TreeMap<Long, Long>();
    long reached = 0;
    int pages = 0;
    String cursor = "";
    do {
      JsonNode page =
          client.get("/extents?context=zero&limit=7" + cursor, List.of()).expect(200).json();
      assertThat(page.path("extents").size()).isBetween(1, 7);
      for (JsonNode extent : page.path("extents")) {
        assertThat(extent.path("start").asLong()).isEqualTo(reached);
        reached += extent.path("length").asLong();
        if (!extent.path("zero").asBoolean()) {
          data.put(extent.path("start").asLong(), reached);
        }
      }
      cursor = page.path("next").isNull() ? "" : "&cursor=" + page.path("next").asText();
      pages++;
    } while (!cursor.isEmpty());
    assertThat(reached).isEqualTo(SIZE);
    assertThat(pages).isGreaterThan(5);
    for (long offset : pieces.keySet()) {
      Map.Entry<Long, Long> extent = data.floorEntry(offset);
      assertThat(extent).as("data extent at %d", offset).isNotNull();
      assertThat(extent.getValue()).isGreaterThanOrEqualTo(offset + 64 * Images.KIB);
    }
  }

  private static void streamWhole(
      ServerProcess server, VolumeClient client, Map<Long, byte[]> pieces) throws IOException {
    var rssMax = new AtomicLong();
    ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
    try {
      var _ =
          clock.scheduleAtFixedRate(
              () -> rssMax.accumulateAndGet(server.rssBytes(), Math::max),
              0,
              100,
              TimeUnit.MILLISECONDS);
      client.wire().send("GET", client.data(), List.of(), new byte[0]);
      Answer head = client.wire().receiveHead().expect(200);
      assertThat(head.header("Content-Length")).contains(Long.toString(SIZE));
      checkStream(client.wire().body(head), pieces);
    } finally {
      clock.shutdownNow();
    }
    assertThat(rssMax.get()).as("most memory in use").isPositive().isLessThan(RSS_LIMIT);
  }

  /** Reads all, and checks the pieces and everything between them. */
  private static void checkStream(InputStream body, Map<Long, byte[]> pieces) throws IOException {
    byte[] zeroes = new byte[Images.MIB];
    byte[] buffer = new byte[Images.MIB];
    long position = 0;
    for (Map.Entry<Long, byte[]> piece : pieces.entrySet()) {
      position = expectZeroes(body, position, piece.getKey(), buffer, zeroes);
      byte[] actual = body.readNBytes(piece.getValue().length);
      Images.assertSame("the piece at " + position, actual, piece.getValue());
      position += actual.length;
    }
    expectZeroes(body, position, SIZE, buffer, zeroes);
    assertThat(body.read()).isEqualTo(-1);
  }

  private static long expectZeroes(
      InputStream body, long from, long to, byte[] buffer, byte[] zeroes) throws IOException {
    long position = from;
    while (position < to) {
      int count = body.read(buffer, 0, (int) Math.min(buffer.length, to - position));
      assertThat(count).isPositive();
      if (!Arrays.equals(buffer, 0, count, zeroes, 0, count)) {
        throw new AssertionError("not zero somewhere in " + count + " bytes from " + position);
      }
      position += count;
    }
    return position;
  }

  private static void zeroWhole(VolumeClient client) throws IOException {
    client.patch("zero", 0, SIZE).expect(200);
    client.get("/extents", List.of()).expect(200);
    long zeroNanos = Long.MAX_VALUE;
    long extentsNanos = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      scatter(client, 12);
      extentsNanos = Math.min(extentsNanos, firstExtentsPage(client));
      long start = System.nanoTime();
      client.patch("zero", 0, SIZE).expect(200);
      zeroNanos = Math.min(zeroNanos, System.nanoTime() - start);
      extentsNanos = Math.min(extentsNanos, firstExtentsPage(client));
    }
    assertThat(zeroNanos).as("time to zero all").isLessThan(TimeUnit.SECONDS.toNanos(1));
    assertThat(extentsNanos)
        .as("time to the first page of extents")
        .isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
    JsonNode extents = client.get("/extents", List.of()).expect(200).json().path("extents");
    for (JsonNode extent : extents) {
      assertThat(extent.path("zero").asBoolean()).as("zero in %s", extent).isTrue();
    }
    assertThat(client.read(0, 64 * Images.KIB)).containsOnly(0);
  }

  private static long firstExtentsPage(VolumeClient client) throws IOException {
    long start = System.nanoTime();
    client.get("/extents", List.of()).expect(200);
    return System.nanoTime() - start;
  }
}
