package io.loopgate.bench.contender;

import io.loopgate.bench.shape.Access;
import io.loopgate.engine.EngineSelector;
import java.util.List;
import java.util.Set;

/** Makes contenders from what users write. */
public final class Contenders {
  /** What the names of contenders begin with that are fio on the file itself. */
  public static final String FIO = "fio:";

  private static final Set<String> FIO_ENGINES = Set.of("psync", "libaio", "io_uring");

  private final EngineSelector engines = new EngineSelector();
  private final EngineSetup defaults;

  /**
   * Creates a maker.
   *
   * @param defaults how engines run unless their text says otherwise
   */
  public Contenders(EngineSetup defaults) {
    this.defaults = defaults;
  }

  /**
   * Returns the contenders of these texts; engines that do not exist are found out when they run.
   *
   * @throws IllegalArgumentException if an option means nothing, or a name comes twice
   */
  public List<Contender> parse(List<String> texts) {
    if (Set.copyOf(texts).size() < texts.size()) {
      throw new IllegalArgumentException("each engine once, please: " + String.join(", ", texts));
    }
    return texts.stream().map(this::parse).toList();
  }

  private Contender parse(String text) {
    if (text.startsWith(FIO)) {
      return fio(text);
    }
    return switch (text) {
      case "loopdev:direct" -> new LoopDeviceContender(true);
      case "loopdev:buffered" -> new LoopDeviceContender(false);
      default -> new EngineContender(defaults.parse(text), engines);
    };
  }

  /**
   * Returns fio on the file itself.
   *
   * @throws IllegalArgumentException if there is no such engine of fio's
   */
  public static Contender fio(String text) {
    String engine = text.substring(FIO.length());
    if (!FIO_ENGINES.contains(engine)) {
      throw new IllegalArgumentException(
          "of fio's engines there are psync, libaio, io_uring, not \"" + engine + "\"");
    }
    return new FioContender(engine);
  }

  /** Returns the peers that can run a shape: fio on the file, and the kernel's loop device. */
  public static List<String> peersOf(Access access) {
    String usual = access.depth() > 1 ? "fio:libaio" : "fio:psync";
    return List.of(usual, "fio:io_uring", "loopdev:direct", "loopdev:buffered");
  }
}
