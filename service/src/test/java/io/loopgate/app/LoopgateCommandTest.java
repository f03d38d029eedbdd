package io.loopgate.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.config.ConfigKey;
import io.loopgate.config.HostPort;
import io.loopgate.config.ServerConfig;
import io.loopgate.config.VolumeKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoopgateCommandTest {
  private final List<ServerConfig> started = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private ServerStarter starter =
      config -> {
        started.add(config);
        return 0;
      };

  @TempDir Path folder;

  private int run(String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new LoopgateCommand(
            config -> starter.run(config), environment, new PrintWriter(out), new PrintWriter(err))
        .run(args);
  }

  private void assertOneLine(String expected) {
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("loopgate: ").contains(expected);
  }

  @Test
  void serveStartsWithDefaults() {
    assertThat(run("serve")).isZero();
    assertThat(started).containsExactly(ServerConfig.defaults());
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void serveTakesFlagsAndVariables() {
    environment.put("LOOPGATE_EVENT_LOOPS", "3");
    assertThat(
            run(
                "serve",
                "--listen=localhost:0",
                "--volume",
                "a=/x=y,engine=workers:4,direct",
                "--volume=b=@/z,readonly",
                "--unsafe-inline",
                "--max-held-bytes",
                "2MiB"))
        .isZero();
    ServerConfig config = started.getFirst();
    assertThat(config.listen()).isEqualTo(new HostPort("localhost", 0));
    assertThat(config.eventLoops()).isEqualTo(3);
    assertThat(config.unsafeInline()).isTrue();
    assertThat(config.maxHeldBytes()).isEqualTo(2 << 20);
    assertThat(config.volumes())
        .extracting(volume -> volume.settings().backing())
        .containsExactly("/x=y", "@/z");
  }

  @ParameterizedTest
  @CsvSource({"--unsafe-inline=false,false", "--unsafe-inline=on,true", "--unsafe-inline,true"})
  void unsafeInlineMayStandAlone(String flag, boolean expected) {
    assertThat(run("serve", flag, "--event-loops", "1")).isZero();
    assertThat(started.getFirst().unsafeInline()).isEqualTo(expected);
  }

  @Test
  void serveReturnsTheCodeOfTheServer() {
    starter = config -> 1;
    assertThat(run("serve")).isEqualTo(1);
  }

  @Test
  void anIoFailureIsOneLineAndExitCode1() {
    starter =
        config -> {
          throw new UncheckedIOException(new IOException("address in use"));
        };
    assertThat(run("serve")).isEqualTo(1);
    assertOneLine("address in use");
  }

  @Test
  void aBugShowsWhereItIs() {
    starter =
        config -> {
          throw new IllegalStateException("bug");
        };
    assertThat(run("serve")).isEqualTo(1);
    assertThat(err.toString()).contains("IllegalStateException: bug").contains("\tat ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "serve --lissten x|unknown option \"--lissten\"; the nearest is --listen",
        "serve --lissten=x|unknown option \"--lissten\"; the nearest is --listen",
        "config --volum a=b|unknown option \"--volum\"; the nearest is --volume",
        "serve -x|unknown option \"-x\"",
        "serve disk.img|unexpected argument \"disk.img\"; see loopgate serve --help",
        "serve --listen|--listen",
        "serve --listen a:1 --listen b:2|--listen",
        "serve --listen 8080|--listen: \"8080\" is not HOST:PORT",
        "serve --max-held-bytes 16|--max-held-bytes: \"16\" needs a unit, for example 64KiB",
        "serve --idle-timeout 16|--idle-timeout: \"16\" needs a unit, for example 30s",
        "config --config /no/such.yaml|--config: cannot read \"/no/such.yaml\"",
        "config --volume a=/x --volume a=/y|id \"a\" is given twice",
        "config --event-loops -1|event-loops",
        "serv|unknown command \"serv\"; the nearest is serve",
        "--listen x serve|option --listen belongs after a command: loopgate serve --listen",
        "version now|unexpected argument \"now\"",
        "help nothing|nothing"
      })
  void misuseIsOneLineAndExitCode2(String args, String message) {
    assertThat(run(args.split(" "))).isEqualTo(2);
    assertOneLine(message);
    assertThat(started).isEmpty();
  }

  @Test
  void unknownVariablesAreMisuse() {
    environment.put("LOOPGATE_LISTN", "x");
    assertThat(run("config")).isEqualTo(2);
    assertOneLine("LOOPGATE_LISTN: unknown variable; the nearest is LOOPGATE_LISTEN");
    assertThat(run("version")).isZero();
    assertThat(run("help")).isZero();
  }

  @Test
  void withoutACommandTheUsageIsShown() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).startsWith("Usage: loopgate").contains("serve", "config");
  }

  @Test
  void whatConfigPrintsComesBack() throws IOException {
    environment.put("LOOPGATE_IDLE_TIMEOUT", "90s");
    assertThat(run("config", "--volume", "a=/x\\,y,engine=aio,size=1GiB", "--listen", "[::]:1"))
        .isZero();
    String first = out.toString();
    assertThat(first)
        .contains("listen: \"[::]:1\" # --listen\n")
        .contains("idle-timeout: 90s # LOOPGATE_IDLE_TIMEOUT\n")
        .contains("log-level: info # default\n")
        .contains("  - id: a # --volume\n    path: \"/x,y\"\n");
    Path file = Files.writeString(folder.resolve("back.yaml"), first);
    environment.clear();
    assertThat(run("config", "--config", file.toString())).isZero();
    assertThat(withoutComments(out.toString())).isEqualTo(withoutComments(first));
  }

  private static String withoutComments(String yaml) {
    return yaml.replaceAll(" #.*", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "--version", "-V"})
  void versionNamesEverything(String arg) {
    assertThat(run(arg)).isZero();
    assertThat(out.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("loopgate "),
            line -> assertThat(line).startsWith("java " + Runtime.version()),
            line -> assertThat(line).startsWith("os " + System.getProperty("os.name")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"help", "--help", "-h"})
  void helpListsTheCommands(String arg) {
    assertThat(run(arg)).isZero();
    assertThat(out.toString())
        .startsWith("Usage: loopgate")
        .contains("serve", "config", "version", "help", "Exit codes: 0");
    assertThat(err.toString()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ConfigKey.class)
  void helpShowsEveryKeyWithItsDefault(ConfigKey key) {
    for (String[] args :
        List.of(new String[] {"serve", "--help"}, new String[] {"help", "config"})) {
      assertThat(run(args)).isZero();
      String help = out.toString().replaceAll("\\s+", " ");
      assertThat(help).contains(key.flag()).contains(key.description());
      if (!key.defaultText().isEmpty()) {
        assertThat(help).contains(key.description() + " Default: " + key.defaultText());
      }
    }
  }

  @Test
  void helpOfServeShowsTheKeysOfAVolume() {
    assertThat(run("serve", "--help")).isZero();
    assertThat(out.toString())
        .contains(VolumeKey.options().stream().map(key -> key.key() + "=").toList());
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 100);
  }
}
