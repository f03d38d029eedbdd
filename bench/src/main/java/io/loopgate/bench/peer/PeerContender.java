package io.loopgate.bench.peer;

import io.loopgate.bench.contender.Contender;
import io.loopgate.bench.contender.Outcome;
import io.loopgate.bench.contender.Phases;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.files.Prepared;
import io.loopgate.bench.shape.Workload;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A server that is started with the first run of a workload, and ended after the last one. */
final class PeerContender implements Contender {
  private final Peer peer;
  private final Client client;
  private final Place place;
  private @Nullable RunningPeer running;

  PeerContender(Peer peer, Client client, Place place) {
    this.peer = peer;
    this.client = client;
    this.place = place;
  }

  @Override
  public String name() {
    return peer.name();
  }

  @Override
  public boolean warmsUpSlowly() {
    return peer.warmsUpSlowly();
  }

  @Override
  public Workload of(Workload workload) {
    return peer.of(workload);
  }

  @Override
  public Outcome run(Workload workload, Prepared prepared, Phases phases, long seed, Stop stop) {
    Optional<String> missing = peer.program().filter(program -> Programs.find(program).isEmpty());
    if (missing.isPresent()) {
      return new Outcome.Unavailable("there is no " + missing.get() + " here");
    }
    Optional<String> unfit = peer.unfit(workload).or(() -> client.unfit(workload));
    if (unfit.isPresent()) {
      return new Outcome.Unavailable(unfit.get());
    }
    try {
      RunningPeer server = running(prepared.files().getFirst(), workload);
      Outcome outcome = client.run(workload, server, phases, seed, stop);
      if (outcome instanceof Outcome.Interrupted) {
        return outcome;
      }
      server.process().check();
      return outcome instanceof Outcome.Measured(var measurement, String how, String nowait)
          ? new Outcome.Measured(
              measurement, how.isEmpty() ? server.how() : server.how() + "; " + how, nowait)
          : outcome;
    } catch (PeerException e) {
      if (stop.isRequested()) {
        // A key that interrupts reaches all programs of the terminal, servers too.
        return new Outcome.Interrupted();
      }
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      return new Outcome.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  private RunningPeer running(Path file, Workload workload) {
    RunningPeer server = running;
    if (server == null) {
      server = peer.start(file.toAbsolutePath(), workload, place);
      running = server;
    }
    return server;
  }

  @Override
  public void close() {
    RunningPeer server = running;
    running = null;
    if (server != null) {
      server.close();
    }
  }
}
