package io.loopgate.engine.uring;

import io.loopgate.backing.Backing;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.TestLoop;
import io.loopgate.sys.Seccomp;
import io.loopgate.telemetry.VolumeTelemetry;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A process that is not allowed to use io_uring: prints what the engine says of it, and what {@code
 * auto} takes instead. Arguments: an image, an error number, numbers of system calls.
 */
final class RefusedRing {
  private RefusedRing() {}

  public static void main(String[] arguments) throws Throwable {
    int[] numbers = Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray();
    Seccomp.refuse(numbers[0], Arrays.copyOfRange(numbers, 1, numbers.length));
    TestLoop loop = new TestLoop(0);
    try (Backing backing =
        FileBackings.open(Path.of(arguments[0]), new OpenOptions(false, true, 4096))) {
      EngineEnvironment environment =
          new EngineEnvironment(
              "refused", backing, 8, false, List.of(loop), new VolumeTelemetry("refused"));
      UringProvider provider = new UringProvider();
      EngineConfig config = provider.configure(new EngineSpec("uring", ""));
      Availability found = provider.probe(config, environment);
      System.out.println("probe: " + found);
      EngineSelector.Choice choice = new EngineSelector().open("auto", environment);
      System.out.println("auto: " + choice.spec() + ", " + choice.reason());
      choice.engine().close();
    }
    loop.close();
  }
}
