package io.loopgate.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A command of a {@code console} block in a Markdown file, with the answer the file shows for it.
 *
 * <p>A line that starts with {@code "$ "} is a command; the lines up to the next one are its
 * answer. In an answer {@code <...>} stands for one or more characters of a line, and alone on a
 * line for any number of lines.
 *
 * @param file the Markdown file
 * @param line where the command stands, counted from 1
 * @param command what a shell is given
 * @param expected the lines of the answer
 */
record ConsoleExample(Path file, int line, String command, List<String> expected) {
  private static final String FENCE = "```";
  private static final String PROMPT = "$ ";
  private static final String WILDCARD = "<...>";

  ConsoleExample {
    expected = List.copyOf(expected);
  }

  /** Returns all commands of a file, in its order. */
  static List<ConsoleExample> read(Path file) throws IOException {
    return parse(file, Files.readAllLines(file));
  }

  /** Returns all commands of the lines of a file. */
  static List<ConsoleExample> parse(Path file, List<String> lines) {
    List<ConsoleExample> examples = new ArrayList<>();
    List<String> answer = new ArrayList<>();
    String command = "";
    int commandLine = 0;
    boolean inConsole = false;
    boolean inOther = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(FENCE)) {
        if (commandLine > 0) {
          examples.add(new ConsoleExample(file, commandLine, command, answer));
          commandLine = 0;
        }
        boolean opens = !inConsole && !inOther;
        inConsole = opens && line.equals(FENCE + "console");
        inOther = opens && !inConsole;
      } else if (inConsole && line.startsWith(PROMPT)) {
        if (commandLine > 0) {
          examples.add(new ConsoleExample(file, commandLine, command, answer));
        }
        command = line.substring(PROMPT.length());
        commandLine = i + 1;
        answer = new ArrayList<>();
      } else if (inConsole) {
        if (commandLine == 0) {
          throw new IllegalArgumentException(
              file + ":" + (i + 1) + ": a console block starts with a command");
        }
        answer.add(line);
      }
    }
    if (inConsole || inOther) {
      throw new IllegalArgumentException(file + ": the last block is not closed");
    }
    return examples;
  }

  /** Returns the same with one text replaced by another, in command and answer. */
  ConsoleExample with(String text, String replacement) {
    return new ConsoleExample(
        file,
        line,
        command.replace(text, replacement),
        expected.stream().map(each -> each.replace(text, replacement)).toList());
  }

  /** Tells whether a command's output is the answer. */
  boolean matches(String output) {
    List<String> actual = output.isEmpty() ? List.of() : output.lines().toList();
    return matchesFrom(0, actual, 0);
  }

  private boolean matchesFrom(int expectedIndex, List<String> actual, int actualIndex) {
    if (expectedIndex == expected.size()) {
      return actualIndex == actual.size();
    }
    String wanted = expected.get(expectedIndex);
    if (wanted.strip().equals(WILDCARD)) {
      for (int next = actualIndex; next <= actual.size(); next++) {
        if (matchesFrom(expectedIndex + 1, actual, next)) {
          return true;
        }
      }
      return false;
    }
    return actualIndex < actual.size()
        && lineMatches(wanted, actual.get(actualIndex))
        && matchesFrom(expectedIndex + 1, actual, actualIndex + 1);
  }

  /** Tells whether a line is the wanted one, wildcards counted. */
  static boolean lineMatches(String wanted, String actual) {
    int wildcard = wanted.indexOf(WILDCARD);
    if (wildcard < 0) {
      return wanted.equals(actual);
    }
    if (!actual.startsWith(wanted.substring(0, wildcard))) {
      return false;
    }
    String rest = wanted.substring(wildcard + WILDCARD.length());
    for (int from = wildcard + 1; from <= actual.length(); from++) {
      if (lineMatches(rest, actual.substring(from))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return file.getFileName() + ":" + line + ": " + command;
  }
}
