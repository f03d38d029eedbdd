package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** A volume beside an array of bytes; each step does one thing to both and compares. */
final class VolumeModel {
  /** How many kinds of operation there are. */
  static final int KINDS = Kind.values().length;

  private static final int BLOCK = 512;
  private static final int LONGEST = 100_000;

  private final VolumeClient client;
  private final byte[] content;
  private final Random random;
  private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
  private String last = "";

  VolumeModel(VolumeClient client, byte[] content, Random random) {
    this.client = client;
    this.content = content;
    this.random = random;
  }

  /** What a step can do. */
  enum Kind {
    PUT_ANYWHERE,
    PUT_ALIGNED,
    PUT_AT_OFFSET,
    PUT_CHUNKED,
    PUT_BLOCKS,
    DELETE_BLOCKS,
    PUT_OBJECT,
    ZERO,
    DISCARD,
    REFUSED,
    GET_RANGE,
    GET_TAIL,
    GET_MANY,
    GET_BLOCKS,
    GET_OBJECT,
    CHECKSUM,
    EXTENTS,
    FLUSH
  }

  /** What the last step did. */
  String last() {
    return last;
  }

  Set<Kind> kinds() {
    return kinds;
  }

  /** Does one thing. */
  void step() throws IOException {
    Kind kind = Kind.values()[random.nextInt(KINDS)];
    kinds.add(kind);
    int length = 1 + random.nextInt(random.nextBoolean() ? 2000 : LONGEST);
    int offset = random.nextInt(content.length - length + 1);
    switch (kind) {
      case PUT_ALIGNED, PUT_BLOCKS, DELETE_BLOCKS, GET_BLOCKS -> {
        offset -= offset % BLOCK;
        length = (length + BLOCK - 1) / BLOCK * BLOCK;
        length = Math.min(length, content.length - offset);
      }
      default -> {}
    }
    last = kind + " " + offset + "+" + length;
    run(kind, offset, length);
  }

  private void run(Kind kind, int offset, int length) throws IOException {
    switch (kind) {
      case PUT_ANYWHERE, PUT_ALIGNED -> client.put(offset, change(offset, length)).expect(200);
      case PUT_AT_OFFSET ->
          wire("PUT", client.data() + "?offset=" + offset, change(offset, length)).expect(200);
      case PUT_CHUNKED -> putChunked(offset, length);
      case PUT_BLOCKS -> client.putBlocks(offset / BLOCK, change(offset, length)).expect(200);
      case DELETE_BLOCKS -> {
        client.blocks("DELETE", offset / BLOCK, length / BLOCK).expect(204);
        clear(offset, length);
      }
      case PUT_OBJECT -> wire("PUT", object(offset, length), change(offset, length)).expect(200);
      case ZERO -> {
        client.patch("zero", offset, length).expect(200);
        clear(offset, length);
      }
      case DISCARD -> {
        client.patch("discard", offset, length).expect(200);
        clear(offset, length);
      }
      case REFUSED -> refused(length);
      case GET_RANGE -> same(offset, length, client.read(offset, length));
      case GET_TAIL -> getTail(offset, length);
      case GET_MANY -> getMany();
      case GET_BLOCKS ->
          same(
              offset,
              length,
              client.blocks("GET", offset / BLOCK, length / BLOCK).expect(200).body());
      case GET_OBJECT ->
          same(offset, length, wire("GET", object(offset, length)).expect(200).body());
      case CHECKSUM -> checksum(offset, length);
      case EXTENTS -> extents(offset, length);
      case FLUSH -> wire("POST", client.data().replace("/data", "/flush")).expect(200);
    }
  }

  private Answer wire(String method, String target, byte... body) throws IOException {
    return client.wire().exchange(method, target, List.of(), body);
  }

  private String object(int offset, int length) {
    String id = client.data().split("/", -1)[3];
    return "/v1/objects/" + id + "_" + offset + "_" + length;
  }

  /** Changes the array and returns its new bytes. */
  private byte[] change(int offset, int length) {
    byte[] bytes = Images.noise(random.nextLong(), length);
    System.arraycopy(bytes, 0, content, offset, length);
    return bytes;
  }

  private void clear(int offset, int length) {
    Arrays.fill(content, offset, offset + length, (byte) 0);
  }

  private void same(int offset, int length, byte[] actual) {
    byte[] expected = Arrays.copyOfRange(content, offset, offset + length);
    Images.assertSame(last, actual, expected);
  }

  private void putChunked(int offset, int length) throws IOException {
    client
        .wire()
        .exchangeChunked(
            "PUT",
            client.data(),
            List.of(VolumeClient.contentRange(offset, length)),
            change(offset, length),
            1 + random.nextInt(length))
        .expect(200);
  }

  /** A write that ends past the end changes nothing. */
  private void refused(int length) throws IOException {
    byte[] bytes = Images.noise(random.nextLong(), length);
    client.put(content.length - length + 1L, bytes).expect(416);
    client.patch("zero", content.length - length + 1L, length).expect(416);
    same(content.length - length, length, client.read(content.length - (long) length, length));
  }

  private void getTail(int offset, int length) throws IOException {
    same(offset, content.length - offset, client.get("bytes=" + offset + "-").expect(206).body());
    same(content.length - length, length, client.get("bytes=-" + length).expect(206).body());
    String past = "bytes=" + offset + "-" + (content.length + (long) length);
    same(offset, content.length - offset, client.get(past).expect(206).body());
  }

  /** Several ranges: what comes back is their union, in order, in as few parts as possible. */
  private void getMany() throws IOException {
    var asked = new BitSet(content.length);
    var header = new ArrayList<String>();
    for (int i = 2 + random.nextInt(6); i > 0; i--) {
      int from = random.nextInt(content.length - 5000);
      int to = from + random.nextInt(5000);
      asked.set(from, to + 1);
      header.add(from + "-" + to);
    }
    last += " " + header;
    Answer answer = client.get("bytes=" + String.join(",", header)).expect(206);
    int from = asked.nextSetBit(0);
    if (asked.nextClearBit(from) - from == asked.cardinality()) {
      same(from, asked.cardinality(), answer.body());
      return;
    }
    String type = answer.header("Content-Type").orElse("");
    for (Multipart.Part part : Multipart.parse(type, answer.body())) {
      assertThat(part.start()).as("start of a part: %s", last).isEqualTo(from);
      same(from, asked.nextClearBit(from) - from, part.bytes());
      from = asked.nextSetBit(asked.nextClearBit(from));
    }
    assertThat(from).as("ranges not answered: %s", last).isEqualTo(-1);
  }

  private void checksum(int offset, int length) throws IOException {
    String query = "/checksum?algorithm=sha-256&start=" + offset + "&length=" + length;
    JsonNode answer = client.get(query, List.of()).expect(200).json();
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(content, offset, length);
      assertThat(answer.path("checksum").asText())
          .as(last)
          .isEqualTo(HexFormat.of().formatHex(digest.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** What is called zero is zero, and the extents cover the window. */
  private void extents(int offset, int length) throws IOException {
    String query = "/extents?context=zero&start=" + offset + "&length=" + length;
    JsonNode page = client.get(query, List.of()).expect(200).json();
    long reached = offset;
    for (JsonNode extent : page.path("extents")) {
      assertThat(extent.path("start").asLong()).as(last).isEqualTo(reached);
      int from = extent.path("start").asInt();
      reached += extent.path("length").asLong();
      if (extent.path("zero").asBoolean()) {
        for (int at = from; at < reached; at++) {
          assertThat(content[at]).as("byte %s of %s", at, extent).isZero();
        }
      }
    }
    assertThat(reached).as(last).isEqualTo((long) offset + length);
  }
}
