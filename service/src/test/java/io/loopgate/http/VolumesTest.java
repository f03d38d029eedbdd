package io.loopgate.http;

import static io.loopgate.http.TestServer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.loopgate.backing.FaultyBacking.Gate;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The control plane. */
final class VolumesTest {
  private static final String VOLUMES = "/v1/volumes";

  private TestServer server;
  private RawConnection client;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer.Bounds().start();
    client = server.connect();
  }

  @AfterEach
  void stop() throws IOException {
    for (String id : List.of("a", "b", "c", "d", "e")) {
      if (server.find(id).isPresent()) {
        client.call("DELETE", VOLUMES + "/" + id);
      }
    }
    client.close();
    server.close();
  }

  private Answer create(String id, String... headers) throws IOException {
    return client.json("POST", VOLUMES, "{\"id\":\"" + id + "\",\"sizeBytes\":65536}", headers);
  }

  private Answer patch(String id, String body, String... headers) throws IOException {
    return client.json("PATCH", VOLUMES + "/" + id, body, headers);
  }

  @Test
  void aVolumeIsMadeReadAndDeleted() throws Exception {
    Answer created = create("a");
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.field("location")).isEqualTo(VOLUMES + "/a");
    Answer document = client.get(VOLUMES + "/a");
    assertThat(document.field("etag")).isEqualTo(created.field("etag")).startsWith("\"");
    JsonNode json = document.json();
    assertThat(json).isEqualTo(created.json());
    for (String member :
        List.of(
            "id",
            "sizeBytes",
            "blockSizeBytes",
            "readOnly",
            "backing",
            "engine",
            "durability",
            "limits",
            "state",
            "allocatedBytes",
            "sequence")) {
      assertThat(json.has(member)).as(member).isTrue();
    }
    assertThat(json.get("sizeBytes").longValue()).isEqualTo(65536);
    assertThat(json.get("engine").get("fastPath").has("reason")).isTrue();
    assertThat(client.call("HEAD", VOLUMES + "/a").status()).isEqualTo(200);
    Answer data = client.get(VOLUMES + "/a/data");
    assertThat(data.body()).isEqualTo(new byte[65536]);
    assertThat(client.call("DELETE", VOLUMES + "/a").status()).isEqualTo(204);
    assertThat(client.get(VOLUMES + "/a").problem()).isEqualTo("404 no-such-volume");
    assertThat(client.call("DELETE", VOLUMES + "/a").problem()).isEqualTo("404 no-such-volume");
    try (var left = Files.list(server.folder())) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void theListComesInPages() throws Exception {
    for (String id : List.of("c", "a", "e", "b", "d")) {
      assertThat(create(id).status()).isEqualTo(201);
    }
    List<String> ids = new ArrayList<>();
    String target = VOLUMES + "?limit=2";
    String next = "";
    do {
      JsonNode page = client.get(target + (next.isEmpty() ? "" : "&cursor=" + next)).json();
      assertThat(page.get("volumes").size()).isLessThanOrEqualTo(2);
      page.get("volumes").forEach(volume -> ids.add(volume.get("id").asText()));
      next = page.get("next").isNull() ? "" : page.get("next").asText();
    } while (!next.isEmpty());
    assertThat(ids).containsExactly("a", "b", "c", "d", "e");
    for (String bad : List.of("?limit=0", "?limit=1001", "?limit=x", "?cursor=zzz", "?limit=")) {
      assertThat(client.get(VOLUMES + bad).problem()).isEqualTo("400 bad-request");
    }
  }

  @Test
  void theSameKeyCreatesOnce() throws Exception {
    Answer first = create("a", "Idempotency-Key: k1");
    Answer second = create("a", "Idempotency-Key: k1");
    assertThat(second.status()).isEqualTo(201);
    assertThat(second.field("location")).isEqualTo(first.field("location"));
    assertThat(create("b", "Idempotency-Key: k1").problem()).isEqualTo("409 idempotency-conflict");
    assertThat(create("a").problem()).isEqualTo("409 exists");
    assertThat(create("a", "Idempotency-Key: k2").problem()).isEqualTo("409 exists");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"id\":\"a\"}",
        "{\"sizeBytes\":65536}",
        "{\"id\":\"A\",\"sizeBytes\":65536}",
        "{\"id\":\"a_b\",\"sizeBytes\":65536}",
        "{\"id\":\"-a\",\"sizeBytes\":65536}",
        "{\"id\":\"a\",\"sizeBytes\":0}",
        "{\"id\":\"a\",\"sizeBytes\":513}",
        "{\"id\":\"a\",\"sizeBytes\":-512}",
        "{\"id\":\"a\",\"sizeBytes\":\"65536\"}",
        "{\"id\":\"a\",\"sizeBytes\":65536.0}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"size\":1}",
        "{\"id\":\"a\",\"id\":\"a\",\"sizeBytes\":65536}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"blockSizeBytes\":1024}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"engine\":\"warp\"}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"durability\":\"maybe\"}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"readOnly\":1}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"limits\":{\"max\":1}}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"limits\":{\"maxInFlight\":0}}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"backing\":\"../x.img\"}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"backing\":\"/etc/passwd\"}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"backing\":\"ram:64KiB\"}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"backing\":\"null:64KiB\"}",
        "{\"id\":\"a\",\"sizeBytes\":65536,\"backing\":\"linear:/etc/passwd+b\"}",
        "[]",
        "{"
      })
  void aTypoIsAnErrorAndMakesNothing(String body) throws Exception {
    assertThat(client.json("POST", VOLUMES, body).problem()).isEqualTo("400 bad-request");
    assertThat(client.get(VOLUMES).json().get("volumes")).isEmpty();
    try (var left = Files.list(server.folder())) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aVolumeGrowsAndShrinksOnlyWhenToldTwice() throws Exception {
    create("a");
    String data = VOLUMES + "/a/data";
    String before = client.call("HEAD", data).field("etag");
    Answer grown = patch("a", "{\"sizeBytes\":131072}");
    assertThat(grown.status()).isEqualTo(200);
    assertThat(grown.json().get("sizeBytes").longValue()).isEqualTo(131072);
    Answer probe = client.call("HEAD", data);
    assertThat(probe.field("content-length")).isEqualTo("131072");
    assertThat(probe.field("etag")).isNotEqualTo(before);
    assertThat(client.put(data + "?offset=130560", bytes(512, 1)).status()).isEqualTo(200);
    assertThat(patch("a", "{\"sizeBytes\":65536}").problem()).isEqualTo("400 bad-request");
    assertThat(client.call("HEAD", data).field("content-length")).isEqualTo("131072");
    assertThat(patch("a", "{\"sizeBytes\":65536,\"allowShrink\":true}").status()).isEqualTo(200);
    assertThat(client.get(data, "Range: bytes=65536-").status()).isEqualTo(416);
    assertThat(patch("a", "{\"sizeBytes\":131072}").status()).isEqualTo(200);
    assertThat(client.get(data, "Range: bytes=65536-").body()).isEqualTo(new byte[65536]);
    assertThat(patch("a", "{\"sizeBytes\":131073}").problem()).isEqualTo("400 bad-request");
  }

  @Test
  void settingsChange() throws Exception {
    create("a");
    String data = VOLUMES + "/a/data";
    assertThat(patch("a", "{\"readOnly\":true}").json().get("readOnly").booleanValue()).isTrue();
    assertThat(client.put(data, bytes(512, 1)).problem()).isEqualTo("403 read-only");
    assertThat(patch("a", "{\"sizeBytes\":131072}").problem()).isEqualTo("403 forbidden");
    assertThat(patch("a", "{\"readOnly\":false}").status()).isEqualTo(200);
    assertThat(client.put(data, bytes(512, 1)).status()).isEqualTo(200);
    assertThat(patch("a", "{\"engine\":\"single\"}").json().get("engine").get("name").asText())
        .isEqualTo("single");
    assertThat(client.get(data, "Range: bytes=0-511").body()).isEqualTo(bytes(512, 1));
    assertThat(patch("a", "{\"engine\":\"warp\"}").problem()).isEqualTo("400 bad-request");
    JsonNode limits = patch("a", "{\"limits\":{\"maxInFlight\":7}}").json().get("limits");
    assertThat(limits.get("maxInFlight").intValue()).isEqualTo(7);
    assertThat(patch("a", "{\"id\":\"b\"}").problem()).isEqualTo("400 bad-request");
    assertThat(patch("a", "{}").status()).isEqualTo(200);
  }

  @Test
  void engineOptionsAreTakenShownAndChanged() throws Exception {
    String body =
        "{\"id\":\"a\",\"sizeBytes\":65536,\"engine\":\"workers:2\",\"queues\":2,\"depth\":16,"
            + "\"merge\":false,\"punt\":true}";
    assertThat(options(client.json("POST", VOLUMES, body))).isEqualTo("workers:2 2 16 false true");
    assertThat(options(client.get(VOLUMES + "/a"))).isEqualTo("workers:2 2 16 false true");
    String data = VOLUMES + "/a/data";
    assertThat(client.put(data, bytes(512, 1)).status()).isEqualTo(200);
    Answer changed = patch("a", "{\"depth\":4096,\"merge\":true}");
    assertThat(options(changed)).isEqualTo("workers:2 2 4096 true true");
    assertThat(options(patch("a", "{\"queues\":0,\"punt\":false,\"engine\":\"single\"}")))
        .isEqualTo("single 0 4096 true false");
    assertThat(client.get(data, "Range: bytes=0-511").body()).isEqualTo(bytes(512, 1));
    create("b");
    assertThat(options(client.get(VOLUMES + "/b"))).endsWith(" 0 128 true false");
  }

  private static String options(Answer answer) throws IOException {
    assertThat(answer.status()).as("%s", answer).isIn(200, 201);
    JsonNode engine = answer.json().get("engine");
    return String.join(
        " ",
        engine.get("name").asText(),
        engine.get("queues").asText(),
        engine.get("depth").asText(),
        engine.get("merge").asText(),
        engine.get("punt").asText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"queues\":65|queues has to be 0 (what suits the engine) to 64, not 65",
        "\"queues\":99999999999|queues has to be 0 (what suits the engine) to 64, not 2147483647",
        "\"queues\":-1|\"queues\" has to be a whole number from 0",
        "\"queues\":1.5|\"queues\" has to be a whole number from 0",
        "\"queues\":\"2\"|\"queues\" has to be a whole number from 0",
        "\"depth\":0|depth has to be 1 to 4096, not 0",
        "\"depth\":4097|depth has to be 1 to 4096, not 4097",
        "\"depth\":null|\"depth\" has to be a whole number from 0",
        "\"merge\":\"off\"|\"merge\" has to be true or false",
        "\"punt\":1|\"punt\" has to be true or false",
        "\"depth\":1,\"depth\":1|Duplicate field 'depth'"
      })
  void anOptionOutOfBoundsNamesTheBound(String option, String detail) throws Exception {
    create("a");
    String tag = client.get(VOLUMES + "/a").field("etag");
    Answer changed = patch("a", "{\"engine\":\"single\"," + option + "}");
    assertThat(changed.problem()).isEqualTo("400 bad-request");
    assertThat(changed.json().get("detail").asText()).contains(detail);
    assertThat(client.get(VOLUMES + "/a").field("etag")).isEqualTo(tag);
    Answer made = client.json("POST", VOLUMES, "{\"id\":\"b\",\"sizeBytes\":512," + option + "}");
    assertThat(made.problem()).isEqualTo("400 bad-request");
    assertThat(made.json().get("detail").asText()).contains(detail);
    assertThat(server.find("b")).isEmpty();
  }

  @Test
  void aTagGuardsADocument() throws Exception {
    String tag = create("a").field("etag");
    client.put(VOLUMES + "/a/data", bytes(512, 1));
    assertThat(client.get(VOLUMES + "/a").field("etag")).isEqualTo(tag);
    Answer changed = patch("a", "{\"readOnly\":true}", "If-Match: " + tag);
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.field("etag")).isNotEqualTo(tag);
    assertThat(patch("a", "{\"readOnly\":false}", "If-Match: " + tag).problem())
        .isEqualTo("412 precondition-failed");
    assertThat(client.call("DELETE", VOLUMES + "/a", "If-Match: " + tag).problem())
        .isEqualTo("412 precondition-failed");
    assertThat(client.call("DELETE", VOLUMES + "/a", "If-Match: " + changed.field("etag")).status())
        .isEqualTo(204);
  }

  @Test
  void aVolumeInUseOrConfiguredIsNotDeleted() throws Exception {
    server.open("v");
    assertThat(client.call("DELETE", VOLUMES + "/v").problem()).isEqualTo("403 forbidden");
    create("a");
    try (RawConnection busy = server.connect()) {
      busy.send(RawConnection.head("PUT", VOLUMES + "/a/data", "Content-Length: 512"));
      TestServer.eventually("it is inside", () -> server.volume("a").inFlight() == 1);
      assertThat(client.call("DELETE", VOLUMES + "/a").problem()).isEqualTo("409 in-use");
      busy.send(bytes(512, 1));
      assertThat(busy.receive("PUT").status()).isEqualTo(200);
    }
    server.awaitQuiet();
    assertThat(client.call("DELETE", VOLUMES + "/a").status()).isEqualTo(204);
  }

  @Test
  void growingDoesNotWaitForRequestsInFlight() throws Exception {
    server.open("v");
    Gate gate = server.faults("v").hold();
    try (RawConnection busy = server.connect()) {
      busy.send(RawConnection.head("GET", VOLUMES + "/v/data", "Range: bytes=0-511"));
      gate.awaitWaiting(1);
      assertThat(patch("v", "{\"sizeBytes\":2097152}").status()).isEqualTo(200);
      gate.release();
      assertThat(busy.receive("GET").field("content-range"))
          .isEqualTo("bytes 0-511/" + TestServer.SIZE);
    }
  }
}
