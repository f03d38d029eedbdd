package io.loopgate.bench.shape;

/**
 * One thing to measure.
 *
 * @param name what users call it
 * @param target what lies beneath
 * @param access how it is used
 */
public record Workload(String name, Target target, Access access) {
  /** Returns one line for reports. */
  public String text() {
    return access.text() + ", " + target.text();
  }
}
