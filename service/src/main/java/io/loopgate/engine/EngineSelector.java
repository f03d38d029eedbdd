package io.loopgate.engine;

import io.loopgate.backing.Support;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * Finds providers and opens the engine a user asked for, or the first in a stated order that can
 * run.
 *
 * <p>Order of {@code auto}: {@code uring}, {@code aio}, {@code workers}; what this build does not
 * have is passed over.
 */
public final class EngineSelector {
  private static final List<String> AUTO_ORDER = List.of("uring", "aio", "workers");

  private final List<LoopEngineProvider> providers;

  /** Uses the providers that {@link ServiceLoader} finds. */
  public EngineSelector() {
    this(
        ServiceLoader.load(LoopEngineProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  EngineSelector(List<LoopEngineProvider> providers) {
    this.providers = List.copyOf(providers);
  }

  /**
   * An engine that runs.
   *
   * @param engine the engine
   * @param spec its effective name
   * @param reason why it is this one
   * @param asynchronous see {@link LoopEngineProvider#asynchronous}
   * @param pinsFile see {@link LoopEngineProvider#pinsFile}
   */
  public record Choice(
      LoopEngine engine, EngineSpec spec, String reason, Support asynchronous, boolean pinsFile) {}

  /** Returns all providers. */
  public List<LoopEngineProvider> providers() {
    return providers;
  }

  /**
   * Checks a name without opening anything.
   *
   * @throws IllegalArgumentException naming the valid engines or arguments
   */
  public void check(String text) {
    EngineSpec spec = EngineSpec.parse(text);
    if (!isAuto(spec)) {
      provider(spec).configure(spec);
    }
  }

  /** Tells whether an engine relies on the file staying as it is; names are checked before. */
  public boolean pinsFile(String text) {
    EngineSpec spec = EngineSpec.parse(text);
    return !isAuto(spec) && provider(spec).pinsFile();
  }

  /**
   * Opens an engine.
   *
   * @throws IllegalArgumentException if the name means nothing or the engine cannot run here; with
   *     cause and remedy
   */
  public Choice open(String text, EngineEnvironment environment) {
    EngineSpec spec = EngineSpec.parse(text);
    return isAuto(spec) ? openFirst(environment) : openNamed(spec, environment);
  }

  private static boolean isAuto(EngineSpec spec) {
    return spec.name().equals("auto") && spec.argument().isEmpty();
  }

  private Choice openNamed(EngineSpec spec, EngineEnvironment environment) {
    LoopEngineProvider provider = provider(spec);
    EngineConfig config = provider.configure(spec);
    return switch (provider.probe(config, environment)) {
      case Availability.Available(String fact) ->
          choice(provider, config, environment, "asked for; " + fact);
      case Availability.Unavailable(String cause, String remedy) ->
          throw new IllegalArgumentException(
              "engine " + spec + " is not available: " + cause + "; " + remedy);
    };
  }

  private Choice openFirst(EngineEnvironment environment) {
    List<String> passedOver = new ArrayList<>();
    for (String name : AUTO_ORDER) {
      for (LoopEngineProvider provider : providers) {
        if (!provider.name().equals(name)) {
          continue;
        }
        EngineConfig config = provider.configure(new EngineSpec(name, ""));
        Optional<String> objection = provider.objection(config, environment);
        if (objection.isPresent()) {
          passedOver.add("not " + name + ": " + objection.get());
          continue;
        }
        switch (provider.probe(config, environment)) {
          case Availability.Available(String fact) -> {
            passedOver.addFirst("first that can run: " + fact);
            return choice(provider, config, environment, String.join("; ", passedOver));
          }
          case Availability.Unavailable(String cause, String remedy) ->
              passedOver.add("not " + name + ": " + cause + " (" + remedy + ")");
        }
      }
    }
    throw new IllegalArgumentException("no engine can run here: " + String.join("; ", passedOver));
  }

  private static Choice choice(
      LoopEngineProvider provider,
      EngineConfig config,
      EngineEnvironment environment,
      String reason) {
    return new Choice(
        start(provider, config, environment),
        config.spec(),
        reason,
        provider.asynchronous(config, environment),
        provider.pinsFile());
  }

  private static LoopEngine start(
      LoopEngineProvider provider, EngineConfig config, EngineEnvironment environment) {
    int asked = environment.options().queues();
    int suits = asked > 0 ? asked : provider.defaultQueues(config, environment);
    int queues = Math.max(1, Math.min(suits, environment.loops().size()));
    if (queues == 1) {
      return provider.open(config, environment);
    }
    List<LoopEngine> opened = new ArrayList<>();
    try {
      for (int i = 0; i < queues; i++) {
        opened.add(provider.open(config, environment.forQueue(i, queues)));
      }
    } catch (RuntimeException e) {
      opened.forEach(LoopEngine::close);
      throw e;
    }
    return new MultiQueue(opened);
  }

  private LoopEngineProvider provider(EngineSpec spec) {
    return providers.stream()
        .filter(provider -> provider.name().equals(spec.name()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no engine \"" + spec + "\"; there are " + names()));
  }

  private String names() {
    return "auto, "
        + providers.stream()
            .map(LoopEngineProvider::name)
            .sorted()
            .collect(Collectors.joining(", "));
  }
}
