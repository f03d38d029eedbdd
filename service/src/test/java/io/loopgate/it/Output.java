package io.loopgate.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Optional;

/** What a process prints, collected by a thread of its own; safe to read at any time. */
final class Output {
  private static final int TAIL_CHARS = 6000;

  private final StringBuilder text = new StringBuilder();
  private final Thread reader;

  Output(BufferedReader source) {
    reader = Thread.ofVirtual().start(() -> collect(source));
  }

  private void collect(BufferedReader source) {
    try (source) {
      for (String line = source.readLine(); line != null; line = source.readLine()) {
        append(line + "\n");
      }
    } catch (IOException e) {
      append("(output ended: " + e.getMessage() + ")\n");
    }
  }

  private synchronized void append(String more) {
    text.append(more);
  }

  /** Waits, after the process ended, for the last line. */
  void awaitEnd() throws InterruptedException {
    reader.join(5000);
  }

  /** Returns all text so far. */
  synchronized String text() {
    return text.toString();
  }

  /** Returns the end of the text so far. */
  String tail() {
    String all = text();
    return all.length() <= TAIL_CHARS ? all : "…" + all.substring(all.length() - TAIL_CHARS);
  }

  /** Returns what follows {@code prefix} on the first complete line that begins with it. */
  Optional<String> after(String prefix) {
    String all = text();
    return all.substring(0, all.lastIndexOf('\n') + 1)
        .lines()
        .filter(line -> line.stripLeading().startsWith(prefix))
        .map(line -> line.stripLeading().substring(prefix.length()).strip())
        .findFirst();
  }
}
