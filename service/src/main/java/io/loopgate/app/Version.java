package io.loopgate.app;

import java.util.List;
import java.util.Objects;

/** What runs here. */
final class Version {
  private Version() {}

  /** Returns the version in the manifest of the jar; classes outside of a jar have none. */
  static String version() {
    return Objects.requireNonNullElse(
        Version.class.getPackage().getImplementationVersion(), "development");
  }

  static List<String> lines() {
    return List.of(
        "loopgate " + version(),
        "java " + Runtime.version() + " (" + property("java.vm.name") + ")",
        "os " + property("os.name") + " " + property("os.version") + " " + property("os.arch"));
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
