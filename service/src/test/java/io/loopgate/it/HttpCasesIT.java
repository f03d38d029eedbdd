package io.loopgate.it;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of the wire contract, against each engine, through the page cache and past it. */
class HttpCasesIT {
  private static final JsonMapper JSON = new JsonMapper();

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
  void theContractHolds(String options) throws Exception {
    Tools.require("python3");
    Path shared = shared();
    Tools.require(
        Files.isRegularFile(shared.resolve("tools/http_cases.py")),
        "no tools/http_cases.py in " + shared + ": name its folder by LOOPGATE_SHARED");
    Map<Integer, List<Path>> cases = casesByBlockSize(shared.resolve("cases"));

    ServerProcess.Builder builder = ServerProcess.in(folder).flags("--unsafe-inline");
    for (int blockSize : cases.keySet()) {
      Path image = Images.sparse(folder.resolve(blockSize + ".img"), Images.MIB);
      builder.volume("case" + blockSize + "=" + image + "," + options + ",blockSize=" + blockSize);
    }
    try (ServerProcess server = builder.start()) {
      for (Map.Entry<Integer, List<Path>> entry : cases.entrySet()) {
        var command = new ArrayList<Object>();
        command.addAll(List.of("python3", shared.resolve("tools/http_cases.py")));
        command.addAll(List.of("--base", server.data(), "--volume", "case" + entry.getKey()));
        command.addAll(entry.getValue());
        Tools.run(Duration.ofMinutes(3), command.toArray()).ok();
      }
    }
  }

  private static Path shared() {
    String named = System.getenv("LOOPGATE_SHARED");
    return named != null ? Path.of(named) : ServerProcess.repository().resolveSibling("shared");
  }

  /** The case files, by the block size their volume has to have. */
  private static Map<Integer, List<Path>> casesByBlockSize(Path folder) throws IOException {
    var files = new TreeMap<Integer, List<Path>>();
    try (var listing = Files.newDirectoryStream(folder, "*.json")) {
      for (Path file : listing) {
        int blockSize = JSON.readTree(file.toFile()).path("block_size").asInt(512);
        files.computeIfAbsent(blockSize, any -> new ArrayList<>()).add(file);
      }
    }
    return files;
  }
}
