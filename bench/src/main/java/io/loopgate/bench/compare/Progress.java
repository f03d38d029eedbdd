package io.loopgate.bench.compare;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Tells on standard error what runs now and how long all will take. For one control thread. */
public final class Progress {
  private final PrintWriter err;
  private final long startNanos = System.nanoTime();
  private long plannedNanos;
  private long doneNanos;
  private int runs;
  private int run;

  /** Creates one that knows of nothing to do yet. */
  public Progress(PrintWriter err) {
    this.err = err;
  }

  /** Some runs will come. */
  void plan(int count, Duration each) {
    runs += count;
    plannedNanos += count * each.toNanos();
  }

  /** Some runs will not come after all; if the count is negative, as many more will. */
  void drop(int count, Duration each) {
    runs -= count;
    plannedNanos -= count * each.toNanos();
  }

  /** Says something besides. */
  public void say(String line) {
    err.println(line);
    err.flush();
  }

  /** Shows where something that nobody expected came from. */
  void say(Throwable unexpected) {
    unexpected.printStackTrace(err);
    err.flush();
  }

  void begin(String workload, String round, String contender) {
    run++;
    say(
        String.format(
            Locale.ROOT,
            "[%d/%d] %s %s %s, about %s left",
            run,
            runs,
            workload,
            round,
            contender,
            text(remaining())));
  }

  void end(Duration planned) {
    doneNanos += planned.toNanos();
  }

  /** What is planned takes as much longer than planned as what is done did. */
  private Duration remaining() {
    double factor =
        doneNanos > 0 ? Math.max(1, (double) (System.nanoTime() - startNanos) / doneNanos) : 1;
    return Duration.ofNanos((long) ((plannedNanos - doneNanos) * factor));
  }

  private static String text(Duration time) {
    long seconds = time.toSeconds() + 1;
    return seconds >= 60 ? seconds / 60 + " min " + seconds % 60 + " s" : seconds + " s";
  }
}
