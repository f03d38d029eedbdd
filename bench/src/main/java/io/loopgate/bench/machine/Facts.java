package io.loopgate.bench.machine;

import io.loopgate.bench.control.Stop;
import io.loopgate.sys.FileSystems;
import io.loopgate.sys.LinuxConstants;
import io.loopgate.sys.SystemCalls;
import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What has to be known about the machine to make sense of a figure. For control threads. */
public final class Facts {
  private static final String UNKNOWN = "unknown";

  private Facts() {}

  /** Returns the facts by name, in the order to show them. */
  public static Map<String, String> collect(Path folder) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", cpuModel());
    facts.put("processors online", Integer.toString(online()));
    facts.put("processors allowed", Processors.allowed());
    facts.put("memory", memory());
    facts.put(
        "kernel", property("os.name") + " " + property("os.version") + " " + property("os.arch"));
    facts.put("file system", fileSystem(folder));
    facts.put("disk", disk(folder));
    facts.put("java", Runtime.version() + " (" + property("java.vm.name") + ")");
    facts.put(
        "loopgate",
        Objects.requireNonNullElse(
            Facts.class.getPackage().getImplementationVersion(), "development"));
    facts.put("netty", netty());
    facts.put("fio", firstLine("fio", "--version"));
    return facts;
  }

  /** Returns the versions of programs that may be compared with, by name. */
  public static Map<String, String> ofServers() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("nginx", firstLine("nginx", "-v"));
    facts.put("nbdkit", firstLine("nbdkit", "--version"));
    facts.put("qemu-nbd", firstLine("qemu-nbd", "--version"));
    return facts;
  }

  private static String property(String name) {
    return System.getProperty(name, UNKNOWN);
  }

  /** Returns how many processors the machine has, whatever this process may use. */
  private static int online() {
    return (int)
        lines("/proc/cpuinfo").stream().filter(line -> line.startsWith("processor")).count();
  }

  private static String cpuModel() {
    return lines("/proc/cpuinfo").stream()
        .filter(line -> line.startsWith("model name") || line.startsWith("CPU part"))
        .findFirst()
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .orElse(UNKNOWN);
  }

  private static String memory() {
    return lines("/proc/meminfo").stream()
        .filter(line -> line.startsWith("MemTotal:"))
        .findFirst()
        .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024 + " MiB")
        .orElse(UNKNOWN);
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The folder may not exist yet: the nearest one above it that does is on the same system. */
  private static Path existing(Path folder) {
    Path path = folder.toAbsolutePath().normalize();
    while (!Files.exists(path)) {
      Path parent = path.getParent();
      if (parent == null) {
        return path;
      }
      path = parent;
    }
    return path;
  }

  private static String fileSystem(Path folder) {
    SystemCalls calls = SystemCalls.instance();
    long fd = calls.open(existing(folder).toString(), LinuxConstants.O_RDONLY, 0);
    if (fd < 0) {
      return UNKNOWN;
    }
    try {
      return FileSystems.name(calls.fileSystemType((int) fd));
    } finally {
      calls.close((int) fd);
    }
  }

  private static String disk(Path folder) {
    try {
      return Files.getFileStore(existing(folder)).name();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String netty() {
    Version version = Version.identify().get("netty-transport");
    return version == null ? UNKNOWN : version.artifactVersion();
  }

  private static String firstLine(String... command) {
    Tool.Result result = Tool.run(List.of(command), new Stop());
    // nginx tells its version where others tell errors.
    return result.code() == 0
        ? (result.out() + result.err()).lines().findFirst().orElse(UNKNOWN)
        : "not here";
  }
}
