package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The console blocks of the documentation, run against the built program: what they show is what
 * comes.
 */
class ExamplesIT {
  /** Ends the output of a command; no text has it. */
  private static final char END = '\u0001';

  private static final int TIMEOUT_SECONDS = 120;

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/api/README.md"})
  void answersAreThoseOfTheDocument(String name) throws Exception {
    Path module = Path.of("").toAbsolutePath();
    Path file = module.resolveSibling(name);
    Path target = Files.createDirectories(module.resolve("target/examples"));
    Path folder = Files.createTempDirectory(target, "run-");
    List<ConsoleExample> examples = new ArrayList<>();
    List<String> outputs;

    try (ServerProcess server = ServerProcess.in(folder).demo().start()) {
      for (ConsoleExample example : ConsoleExample.read(file)) {
        examples.add(
            example
                .with("127.0.0.1:8080", server.data().getAuthority())
                .with("127.0.0.1:8081", server.admin().getAuthority()));
      }
      outputs = run(folder, examples);
    }

    assertThat(examples).isNotEmpty();
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < examples.size(); i++) {
      ConsoleExample example = examples.get(i);
      String output = i < outputs.size() ? outputs.get(i) : "(never ran)";
      if (!example.matches(output)) {
        differences.add(
            example
                + "\nexpected:\n"
                + String.join("\n", example.expected())
                + "\ngot:\n"
                + output);
      }
    }
    assertThat(differences).isEmpty();
  }

  /** Runs all commands in one shell, so that a variable of one is there for the next. */
  private static List<String> run(Path folder, List<ConsoleExample> examples)
      throws IOException, InterruptedException {
    StringBuilder script = new StringBuilder("export LC_ALL=C\n");
    for (ConsoleExample example : examples) {
      script.append("{ ").append(example.command()).append("\n} 2>&1 </dev/null\nprintf '\\001'\n");
    }
    Path scriptFile = Files.writeString(folder.resolve("commands.sh"), script);
    Path outputFile = folder.resolve("output");
    Process shell =
        new ProcessBuilder("bash", scriptFile.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(outputFile.toFile())
            .start();
    if (!shell.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly().waitFor();
    }

    List<String> outputs = new ArrayList<>();
    String all = Files.readString(outputFile);
    int from = 0;
    for (int end = all.indexOf(END); end >= 0; end = all.indexOf(END, from)) {
      outputs.add(all.substring(from, end));
      from = end + 1;
    }
    if (from < all.length()) {
      outputs.add(all.substring(from));
    }
    return outputs;
  }
}
