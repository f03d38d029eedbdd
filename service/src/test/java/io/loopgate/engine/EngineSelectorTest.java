package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineSelectorTest {
  private final Path image = BackingFixture.directory().resolve("image.raw");
  private final List<LoopEngine> opened = new ArrayList<>();
  private Backing backing;

  @BeforeEach
  void open() {
    FileBackings.create(image, 1 << 20);
    backing = FileBackings.open(image, new OpenOptions(false, false, 512));
  }

  @AfterEach
  void close() throws IOException {
    opened.forEach(LoopEngine::close);
    backing.close();
    Files.delete(image);
  }

  private EngineEnvironment environment(boolean unsafeInline) {
    return new EngineEnvironment(
        "selected", backing, 4, unsafeInline, List.of(), new VolumeTelemetry("selected"));
  }

  private EngineSelector.Choice choose(EngineSelector selector, String text) {
    EngineSelector.Choice choice = selector.open(text, environment(true));
    opened.add(choice.engine());
    return choice;
  }

  /** Lends another engine a name of its own. */
  private record Named(String name, Availability availability, String objection)
      implements LoopEngineProvider {
    record Config(EngineSpec spec) implements EngineConfig {}

    @Override
    public String summary() {
      return "for tests";
    }

    @Override
    public EngineConfig configure(EngineSpec spec) {
      return new Config(new EngineSpec(name, "default"));
    }

    @Override
    public Optional<String> objection(EngineConfig config, EngineEnvironment environment) {
      return Optional.of(objection).filter(text -> !text.isEmpty());
    }

    @Override
    public Availability probe(EngineConfig config, EngineEnvironment environment) {
      return availability;
    }

    @Override
    public LoopEngine open(EngineConfig config, EngineEnvironment environment) {
      return new QueuedWorkers(name, 1, environment);
    }
  }

  private static Named yes(String name) {
    return new Named(name, new Availability.Available(name + " works"), "");
  }

  private static Named no(String name) {
    return new Named(name, new Availability.Unavailable(name + " is missing", "get " + name), "");
  }

  @Test
  void findsTheProvidersOfThisBuild() {
    assertThat(new EngineSelector().providers())
        .extracting(LoopEngineProvider::name)
        .contains("single", "workers", "workqueue", "virtual", "inline")
        .doesNotHaveDuplicates();
    assertThat(new EngineSelector().providers())
        .allSatisfy(provider -> assertThat(provider.summary()).isNotBlank().doesNotContain("\n"));
  }

  @Test
  void autoTakesTheFirstInOrderAndSaysWhy() {
    EngineSelector.Choice choice =
        choose(
            new EngineSelector(List.of(yes("workers"), yes("single"), no("uring"), yes("aio"))),
            "auto");
    assertThat(choice.spec()).isEqualTo(new EngineSpec("aio", "default"));
    assertThat(choice.reason())
        .startsWith("first that can run: aio works")
        .contains("not uring: uring is missing (get uring)")
        .doesNotContain("workers");
  }

  @Test
  void autoPrefersRings() {
    EngineSelector selector = new EngineSelector(List.of(yes("workers"), yes("aio"), yes("uring")));
    assertThat(choose(selector, "auto").spec().name()).isEqualTo("uring");
    assertThat(choose(selector, " auto ").spec().name()).isEqualTo("uring");
  }

  @Test
  void autoHeedsAnObjectionAndANameDoesNot() {
    Named reluctant =
        new Named("uring", new Availability.Available("it runs"), "the other is faster");
    EngineSelector selector = new EngineSelector(List.of(reluctant, yes("workers")));
    EngineSelector.Choice choice = choose(selector, "auto");
    assertThat(choice.spec().name()).isEqualTo("workers");
    assertThat(choice.reason()).contains("not uring: the other is faster");
    assertThat(choose(selector, "uring").spec().name()).isEqualTo("uring");
  }

  @Test
  void autoPassesOverWhatThisBuildDoesNotHave() {
    EngineSelector.Choice choice = choose(new EngineSelector(List.of(yes("workers"))), "auto");
    assertThat(choice.spec().name()).isEqualTo("workers");
    assertThat(choice.reason()).isEqualTo("first that can run: workers works");
  }

  @Test
  void autoWithNothingThatRunsSaysWhy() {
    assertThatThrownBy(
            () -> choose(new EngineSelector(List.of(no("uring"), no("workers"))), "auto"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not uring: uring is missing (get uring)")
        .hasMessageContaining("not workers: workers is missing");
  }

  @Test
  void openedByNameItSaysSo() {
    EngineSelector.Choice choice = choose(new EngineSelector(), "workers:3");
    assertThat(choice.spec()).hasToString("workers:3");
    assertThat(choice.reason()).isEqualTo("asked for; 3 threads");
  }

  @ParameterizedTest
  @ValueSource(strings = {"turbo", "", "Workers", "auto:4", "turbo:9"})
  void anUnknownNameListsTheValidOnes(String text) {
    EngineSelector selector = new EngineSelector();
    assertThatThrownBy(() -> selector.check(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no engine \"" + text + "\"")
        .hasMessageContaining("auto")
        .hasMessageContaining("inline")
        .hasMessageContaining("single")
        .hasMessageContaining("workers");
    assertThatThrownBy(() -> selector.open(text, environment(true)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNotAvailableIsRefusedWithARemedy() {
    assertThatThrownBy(() -> new EngineSelector().open("inline", environment(false)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("engine inline is not available")
        .hasMessageContaining("--unsafe-inline");
    assertThat(choose(new EngineSelector(), "inline").spec()).hasToString("inline");
    new EngineSelector().check("inline");
    new EngineSelector().check("auto");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "workers:0",
        "workers:-1",
        "workers:257",
        "workers:x",
        "workers:1:2",
        "workqueue:0",
        "workqueue:513",
        "workqueue:all",
        "virtual:0",
        "virtual:4097",
        "virtual:1.5",
        "single:1",
        "inline:1"
      })
  void argumentsThatMeanNothingAreRefused(String text) {
    assertThatThrownBy(() -> new EngineSelector().check(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + EngineSpec.parse(text).argument() + "\"")
        .hasMessageContaining("engine " + EngineSpec.parse(text).name());
  }

  @Test
  void workersHaveADefaultForTheKindOfVolume() throws IOException {
    assertThat(choose(new EngineSelector(), "workers").reason()).contains("4 threads");
    Path other = BackingFixture.directory().resolve("image.raw");
    FileBackings.create(other, 1 << 20);
    try (Backing direct = FileBackings.open(other, new OpenOptions(false, true, 4096))) {
      EngineSelector.Choice choice =
          new EngineSelector()
              .open(
                  "workers",
                  new EngineEnvironment(
                      "direct", direct, 4, false, List.of(), new VolumeTelemetry("direct")));
      choice.engine().close();
      assertThat(choice.reason()).contains("8 threads");
    } finally {
      Files.delete(other);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "workqueue, workqueue, at most 16 at a time",
    "workqueue:512, workqueue:512, at most 512 at a time",
    "virtual, virtual, at most 128 virtual threads at a time",
    "virtual:7, virtual:7, at most 7 virtual threads at a time"
  })
  void sayHowManyAtATime(String text, String spec, String fact) {
    EngineSelector.Choice choice = choose(new EngineSelector(), text);
    assertThat(choice.spec()).hasToString(spec);
    assertThat(choice.reason()).contains(fact);
  }

  @Test
  void anEnvironmentWithoutAQueueIsRefused() {
    assertThatThrownBy(
            () ->
                new EngineEnvironment("x", backing, 0, false, List.of(), new VolumeTelemetry("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("queueCapacity");
  }
}
