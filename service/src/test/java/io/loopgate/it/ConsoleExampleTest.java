package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleExampleTest {
  private static final Path FILE = Path.of("some.md");

  private static ConsoleExample answering(String... lines) {
    return new ConsoleExample(FILE, 1, "true", List.of(lines));
  }

  private static List<ConsoleExample> parse(String text) {
    return ConsoleExample.parse(FILE, text.lines().toList());
  }

  @Test
  void findsCommandsAndAnswersOfConsoleBlocksOnly() {
    List<ConsoleExample> examples =
        parse(
            """
            # Title
            ```sh
            $ not one
            ```
            ```console
            $ first
            one
            two
            $ second
            ```
            $ not one either
            """);

    assertThat(examples)
        .containsExactly(
            new ConsoleExample(FILE, 6, "first", List.of("one", "two")),
            new ConsoleExample(FILE, 9, "second", List.of()));
  }

  @Test
  void refusesBlocksThatNoCommandStartsAndBlocksWithoutEnd() {
    assertThatThrownBy(() -> parse("```console\nanswer\n```\n")).hasMessageContaining("some.md:2");
    assertThatThrownBy(() -> parse("```console\n$ one\n")).hasMessageContaining("not closed");
  }

  @Test
  void comparesLineByLine() {
    ConsoleExample example = answering("one", "two");

    assertThat(example.matches("one\ntwo\n")).isTrue();
    assertThat(example.matches("one\ntwo")).isTrue();
    assertThat(example.matches("one\n")).isFalse();
    assertThat(example.matches("one\ntwo\nthree\n")).isFalse();
    assertThat(answering().matches("")).isTrue();
    assertThat(answering().matches("one")).isFalse();
  }

  @Test
  void aWildcardInALineStandsForAtLeastOneCharacter() {
    ConsoleExample example = answering("ETag: \"<...>-2\"");

    assertThat(example.matches("ETag: \"abc-2\"\n")).isTrue();
    assertThat(example.matches("ETag: \"a-2-2\"\n")).isTrue();
    assertThat(example.matches("ETag: \"-2\"\n")).isFalse();
    assertThat(example.matches("ETag: \"abc-3\"\n")).isFalse();
  }

  @Test
  void aWildcardAloneStandsForAnyNumberOfLines() {
    ConsoleExample example = answering("{", "  <...>", "}");

    assertThat(example.matches("{\n}\n")).isTrue();
    assertThat(example.matches("{\n  1\n  2\n}\n")).isTrue();
    assertThat(example.matches("{\n  1\n  2\n")).isFalse();
  }

  @Test
  void replacesInCommandAndAnswer() {
    ConsoleExample example = new ConsoleExample(FILE, 1, "curl :8080/a", List.of("at :8080"));

    assertThat(example.with(":8080", ":1"))
        .isEqualTo(new ConsoleExample(FILE, 1, "curl :1/a", List.of("at :1")));
  }
}
