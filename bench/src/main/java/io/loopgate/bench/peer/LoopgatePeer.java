package io.loopgate.bench.peer;

import io.loopgate.bench.shape.Protocol;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Wire;
import io.loopgate.bench.shape.Workload;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code loopgate}: this build, started as users start it. */
final class LoopgatePeer implements Peer {
  private static final String PROTOCOL = "protocol";
  private static final String WARM_UP = "warm-up";
  private static final String DIRECT = "direct";

  /** Options that belong to the volume; all others but the protocol are flags of the server. */
  private static final Set<String> OF_VOLUME =
      Set.of(
          "engine",
          "nowait",
          DIRECT,
          "durability",
          "blockSize",
          "queues",
          "depth",
          "merge",
          "punt",
          "alignment");

  private static final Pattern DATA = Pattern.compile("^data +(http://\\S+)$", Pattern.MULTILINE);
  private static final Pattern ADMIN = Pattern.compile("^admin +(http://\\S+)$", Pattern.MULTILINE);
  private static final Pattern HOW =
      Pattern.compile("^ +(?:engine|fast path|durability) +(.*)$", Pattern.MULTILINE);
  private static final int ANSWER_MILLIS = 2000;
  private static final String ANY_PORT = ServerProcess.LOOPBACK + ":0";

  private final PeerOptions options;
  private final int copy;

  /**
   * Creates one.
   *
   * @param copy which file is its own: it locks what it has open, and others of its kind may run
   */
  LoopgatePeer(PeerOptions options, int copy) {
    this.options = options;
    this.copy = copy;
    if (options.values().containsKey(PROTOCOL)) {
      Protocol.parse(options.get(PROTOCOL, ""));
    }
  }

  @Override
  public String name() {
    return options.text();
  }

  @Override
  public Optional<String> program() {
    return Optional.empty();
  }

  @Override
  public boolean warmsUpSlowly() {
    return true;
  }

  @Override
  public Workload of(Workload workload) {
    Wire wire = workload.wire().orElseThrow();
    Protocol protocol = Protocol.parse(options.get(PROTOCOL, wire.protocol().word()));
    Target target =
        workload.target() instanceof Target.Image image
            ? new Target.Image(image.sizeBytes(), image.fill(), image.fresh(), copy)
            : workload.target();
    return new Workload(
        workload.name(),
        target,
        workload.access(),
        Optional.of(new Wire(protocol, wire.durable(), wire.ratePerSecond(), wire.whole())));
  }

  @Override
  public Optional<String> unfit(Workload workload) {
    return Optional.empty();
  }

  @Override
  public RunningPeer start(Path file, Workload workload, Place place) {
    try {
      Path data = Files.createTempDirectory(place.folder(), "loopgate-");
      ServerProcess process =
          ServerProcess.start("loopgate", command(file, data, workload, place), place);
      // The addresses are known only when it runs.
      RunningPeer unnamed =
          Starting.finish(
              process,
              () -> process.await("get ready", () -> isReady(process), place.stop()),
              "",
              "");
      String url = find(DATA, process).orElseThrow() + "/v1/volumes/bench/data";
      return new RunningPeer(unnamed.process(), url, how(process));
    } catch (IOException e) {
      throw new PeerException("cannot make a folder for loopgate: " + e.getMessage());
    }
  }

  List<String> command(Path file, Path data, Workload workload, Place place) {
    StringBuilder volume = new StringBuilder("bench=" + file);
    List<String> flags = new ArrayList<>();
    for (Map.Entry<String, String> option : options.values().entrySet()) {
      if (OF_VOLUME.contains(option.getKey())) {
        volume.append(',').append(option.getKey()).append('=').append(option.getValue());
      } else if (!option.getKey().equals(PROTOCOL)) {
        flags.addAll(List.of("--" + option.getKey(), option.getValue()));
      }
    }
    if (workload.access().direct() && !options.values().containsKey(DIRECT)) {
      volume.append(",direct=on");
    }
    List<String> command = new ArrayList<>(place.loopgate());
    command.addAll(
        List.of(
            "serve",
            "--listen",
            ANY_PORT,
            "--admin",
            ANY_PORT,
            "--data-dir",
            data.toString(),
            "--volume",
            volume.toString()));
    if (!options.values().containsKey(WARM_UP)) {
      // The comparison warms up all of them, and for longer.
      command.addAll(List.of("--" + WARM_UP, "0s"));
    }
    command.addAll(flags);
    return command;
  }

  private static boolean isReady(ServerProcess process) {
    Optional<String> admin = find(ADMIN, process);
    if (admin.isEmpty()) {
      return false;
    }
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(admin.get() + "/health/ready").toURL().openConnection();
      connection.setConnectTimeout(ANSWER_MILLIS);
      connection.setReadTimeout(ANSWER_MILLIS);
      try {
        return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<String> find(Pattern pattern, ServerProcess process) {
    Matcher found = pattern.matcher(process.output());
    return found.find() ? Optional.of(found.group(1)) : Optional.empty();
  }

  /** The server says by itself which path bytes take. */
  private static String how(ServerProcess process) {
    String output = process.output();
    List<String> lines = new ArrayList<>();
    output.lines().findFirst().ifPresent(lines::add);
    HOW.matcher(output).results().forEach(found -> lines.add(found.group(1)));
    return String.join("; ", lines);
  }
}
