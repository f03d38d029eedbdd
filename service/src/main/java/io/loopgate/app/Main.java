package io.loopgate.app;

import io.loopgate.config.ServerConfig;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;

/** Entry point. */
public final class Main {
  private Main() {}

  /** Runs the command line and exits with its code. */
  public static void main(String[] args) {
    Preload preload = Preload.start();
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    int code =
        new LoopgateCommand(config -> serve(config, preload, out, err), System.getenv(), out, err)
            .run(args);
    System.exit(code);
  }

  /** Serves until a signal comes. */
  private static int serve(ServerConfig config, Preload preload, PrintWriter out, PrintWriter err) {
    preload.awaitLog();
    LogSetup.level(config.logLevel());
    Server server;
    try {
      server = Server.start(config);
    } catch (StartException e) {
      err.println("loopgate: " + e.getMessage());
      return LoopgateCommand.FAILURE;
    }
    stopOnSignal(server, err);
    server.report().forEach(out::println);
    out.flush();
    server.becomeReady();
    awaitForever();
    return LoopgateCommand.SUCCESS;
  }

  /**
   * SIGTERM and SIGINT start the JVM's shutdown, whose only hook is the server's orderly stop. A
   * JVM that ends by a signal would exit with 143, also after a clean stop; hence the halt, after
   * everything is flushed and closed.
   */
  private static void stopOnSignal(Server server, PrintWriter err) {
    Thread hook =
        Thread.ofPlatform()
            .name("loopgate-stop")
            .unstarted(
                () -> {
                  boolean clean = server.stop();
                  if (!clean) {
                    err.println("loopgate: stopped with unfinished work; see the log");
                  }
                  err.flush();
                  Runtime.getRuntime()
                      .halt(clean ? LoopgateCommand.SUCCESS : LoopgateCommand.FAILURE);
                });
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private static void awaitForever() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
