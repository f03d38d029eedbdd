package io.loopgate.app;

/** Entry point. */
public final class Main {
  private Main() {}

  /** Starts. */
  public static void main(String[] args) {
    System.out.println(args.length);
  }
}
