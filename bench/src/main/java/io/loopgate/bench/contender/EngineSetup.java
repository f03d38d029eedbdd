package io.loopgate.bench.contender;

import io.loopgate.bench.load.LoopTransport;
import io.loopgate.engine.EngineOptions;
import io.loopgate.layer.NowaitMode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * An engine and how it is to run, as users write it: {@code workers:4}, or with some of it set
 * otherwise than for the rest, {@code aio/queues=2/nowait=off}.
 *
 * @param name as it was written
 * @param engine the engine alone
 * @param options how the engine runs
 * @param nowait whether buffered commands are first tried without waiting
 * @param transport the kind of event loops
 * @param loops how many event loops
 * @param processors which processors the process may use, or an empty text for all it has
 * @param parts over how many files the volume lies, or 0 if the workload says it
 */
public record EngineSetup(
    String name,
    String engine,
    EngineOptions options,
    NowaitMode nowait,
    LoopTransport transport,
    int loops,
    String processors,
    int parts) {
  private static final int LOOPS_MAX = 64;
  private static final int PARTS_MAX = 64;

  /** Checks the numbers. */
  public EngineSetup {
    if (loops < 1 || loops > LOOPS_MAX) {
      throw new IllegalArgumentException("loops has to be 1 to " + LOOPS_MAX + ", not " + loops);
    }
    if (parts < 0 || parts > PARTS_MAX) {
      throw new IllegalArgumentException("parts has to be 0 to " + PARTS_MAX + ", not " + parts);
    }
  }

  /**
   * Reads what a user wrote; what is not in it is as here.
   *
   * @throws IllegalArgumentException naming the valid forms
   */
  public EngineSetup parse(String text) {
    List<String> parts = Arrays.asList(text.split("/", -1));
    EngineSetup setup = withEngine(text, parts.getFirst());
    for (String part : parts.subList(1, parts.size())) {
      String[] pair = part.split("=", 2);
      if (pair.length != 2) {
        throw new IllegalArgumentException("\"" + part + "\" in " + text + " is not NAME=VALUE");
      }
      setup = setup.with(pair[0], pair[1]);
    }
    return setup;
  }

  private EngineSetup withEngine(String newName, String newEngine) {
    return new EngineSetup(
        newName, newEngine, options, nowait, transport, loops, processors, parts);
  }

  private EngineSetup with(String key, String value) {
    return switch (key) {
      case "queues" -> with(options.withQueues(number(key, value)));
      case "depth" -> with(options.withDepth(number(key, value)));
      case "merge" -> with(options.withMerge(isOn(key, value)));
      case "punt" -> with(options.withPunt(isOn(key, value)));
      case "nowait" -> copy(options, nowait(value), transport, loops, processors);
      case "transport" -> copy(options, nowait, LoopTransport.parse(value), loops, processors);
      case "loops" -> copy(options, nowait, transport, number(key, value), processors);
      case "cpus" -> copy(options, nowait, transport, loops, value);
      case "parts" ->
          new EngineSetup(
              name, engine, options, nowait, transport, loops, processors, number(key, value));
      default ->
          throw new IllegalArgumentException(
              "an engine has no option \""
                  + key
                  + "\"; there are queues, depth, merge, punt, nowait, transport, loops, cpus,"
                  + " parts");
    };
  }

  private EngineSetup with(EngineOptions newOptions) {
    return copy(newOptions, nowait, transport, loops, processors);
  }

  private EngineSetup copy(
      EngineOptions newOptions,
      NowaitMode newNowait,
      LoopTransport newTransport,
      int newLoops,
      String newProcessors) {
    return new EngineSetup(
        name, engine, newOptions, newNowait, newTransport, newLoops, newProcessors, parts);
  }

  /** Reads off, always or auto. */
  public static NowaitMode nowait(String value) {
    return Arrays.stream(NowaitMode.values())
        .filter(mode -> mode.name().toLowerCase(Locale.ROOT).equals(value))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "nowait is one of off, always, auto, not \"" + value + "\""));
  }

  private static boolean isOn(String key, String value) {
    return switch (value) {
      case "on" -> true;
      case "off" -> false;
      default -> throw new IllegalArgumentException(key + " is on or off, not \"" + value + "\"");
    };
  }

  private static int number(String key, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + " is a number, not \"" + value + "\"", e);
    }
  }
}
