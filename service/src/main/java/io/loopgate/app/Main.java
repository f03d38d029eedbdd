package io.loopgate.app;

import io.loopgate.config.ServerConfig;
import java.io.PrintWriter;

/** Entry point. */
public final class Main {
  private Main() {}

  /** Runs the command line and exits with its code. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    int code = new LoopgateCommand(config -> start(config, err), System.getenv(), out, err).run(args);
    System.exit(code);
  }

  private static int start(ServerConfig config, PrintWriter err) {
    err.println("loopgate: nothing listens at " + config.listen() + ": this build has no server");
    return LoopgateCommand.FAILURE;
  }
}
