package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One connection to one volume, with a method for each verb of the contract. */
final class VolumeClient implements Closeable {
  private final Wire wire;
  private final String volume;

  VolumeClient(URI base, String id) throws IOException {
    wire = new Wire(base);
    volume = "/v1/volumes/" + id;
  }

  Wire wire() {
    return wire;
  }

  /** The path of the volume's bytes. */
  String data() {
    return volume + "/data";
  }

  /** GET with a Range of this value. */
  Answer get(String range) throws IOException {
    return wire.exchange("GET", data(), List.of("Range: " + range), new byte[0]);
  }

  /** Bytes of the volume; fails the test on anything but a fitting 206. */
  byte[] read(long offset, int length) throws IOException {
    Answer answer = get("bytes=" + offset + "-" + (offset + length - 1)).expect(206);
    assertThat(answer.body()).hasSize(length);
    return answer.body();
  }

  /** All bytes of the volume. */
  byte[] readAll() throws IOException {
    return wire.exchange("GET", data()).expect(200).body();
  }

  /** PUT with a Content-Range. */
  Answer put(long offset, byte[] bytes) throws IOException {
    return wire.exchange("PUT", data(), List.of(contentRange(offset, bytes.length)), bytes);
  }

  static String contentRange(long offset, int length) {
    return "Content-Range: bytes " + offset + "-" + (offset + length - 1) + "/*";
  }

  /** PATCH with a range. */
  Answer patch(String operation, long offset, long size) throws IOException {
    return json(
        "PATCH",
        data(),
        "{\"op\":\"" + operation + "\",\"offset\":" + offset + ",\"size\":" + size + "}");
  }

  /** A sub-resource of the volume, such as {@code /extents?limit=10}. */
  Answer get(String subResource, List<String> headers) throws IOException {
    return wire.exchange("GET", volume + subResource, headers, new byte[0]);
  }

  /** A request with a JSON body. */
  Answer json(String method, String target, String document) throws IOException {
    return wire.exchange(
        method,
        target,
        List.of("Content-Type: application/json"),
        document.getBytes(StandardCharsets.UTF_8));
  }

  /** PUT of whole blocks. */
  Answer putBlocks(long lba, byte[] bytes) throws IOException {
    return wire.exchange("PUT", volume + "/blocks/" + lba, List.of(), bytes);
  }

  /** A method without body on a run of blocks. */
  Answer blocks(String method, long lba, int count) throws IOException {
    return wire.exchange(method, volume + "/blocks/" + lba + "?count=" + count);
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
