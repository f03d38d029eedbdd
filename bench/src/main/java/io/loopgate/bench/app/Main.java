package io.loopgate.bench.app;

import java.io.PrintWriter;

/** Entry point. */
public final class Main {
  private Main() {}

  /** Runs the command line and exits with its code. */
  public static void main(String[] args) {
    Interruption interruption = new Interruption();
    interruption.install();
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    int code = new BenchCommand(interruption.stop(), out, err).run(args);
    interruption.ended(code);
    System.exit(code);
  }
}
