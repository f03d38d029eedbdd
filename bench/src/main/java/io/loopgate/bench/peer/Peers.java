package io.loopgate.bench.peer;

import io.loopgate.bench.contender.Contender;
import io.loopgate.bench.contender.Contenders;
import io.loopgate.bench.contender.FdatasyncContender;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Makes contenders that are servers from what users write. */
public final class Peers {
  private static final String LOOPGATE = "loopgate";

  private final Place place;
  private final Clients clients;

  /**
   * Creates a maker.
   *
   * @param place where servers run
   * @param clients what loads them
   */
  public Peers(Place place, Clients clients) {
    this.place = place;
    this.clients = clients;
  }

  /**
   * Returns the contenders of these texts.
   *
   * @throws IllegalArgumentException if one means nothing, or comes twice
   */
  public List<Contender> parse(List<String> texts) {
    if (Set.copyOf(texts).size() < texts.size()) {
      throw new IllegalArgumentException(
          "each contender once, please: " + String.join(", ", texts));
    }
    List<Contender> contenders = new ArrayList<>();
    int loopgates = 0;
    for (String text : texts) {
      boolean loopgate = text.equals(LOOPGATE) || text.startsWith(LOOPGATE + "/");
      contenders.add(
          loopgate ? http(new LoopgatePeer(PeerOptions.parse(text), loopgates++)) : other(text));
    }
    return contenders;
  }

  private Contender other(String text) {
    if (text.startsWith(Contenders.FIO)) {
      return Contenders.fio(text);
    }
    if (text.equals(FdatasyncContender.NAME)) {
      return new FdatasyncContender();
    }
    PeerOptions options = PeerOptions.parse(text);
    return switch (options.name()) {
      case "nginx" -> http(new NginxPeer(options));
      case "nbdkit" -> nbd(new NbdkitPeer(options));
      case "qemu-nbd" -> nbd(new QemuNbdPeer(options));
      default ->
          throw new IllegalArgumentException(
              "contenders are loopgate, nginx, nbdkit, qemu-nbd, fdatasync:1, fio:ENGINE, not \""
                  + text
                  + "\"");
    };
  }

  private Contender nbd(Peer peer) {
    return new PeerContender(peer, clients.nbd(), place);
  }

  private Contender http(Peer peer) {
    return new PeerContender(peer, clients.http(), place);
  }
}
