package io.loopgate.bench.shape;

import java.util.Optional;

/**
 * One thing to measure.
 *
 * @param name what users call it
 * @param target what lies beneath
 * @param access how it is used
 * @param wire how commands go to a server, if there is one between
 */
public record Workload(String name, Target target, Access access, Optional<Wire> wire) {
  /** Without a server between. */
  public Workload(String name, Target target, Access access) {
    this(name, target, access, Optional.empty());
  }

  /** Returns one line for reports. */
  public String text() {
    return wire.map(
            to -> access.text("connection") + ", " + to.text(access.rw()) + ", " + target.text())
        .orElseGet(() -> access.text() + ", " + target.text());
  }
}
