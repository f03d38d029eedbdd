package io.loopgate.backing;

/** Whether transfers are to go past the page cache. */
public enum DirectIo {
  /** As suits the backing: block devices past it, files through it. */
  AUTO,
  /** Past it; refused where that is not possible. */
  ON,
  /** Through it. */
  OFF;

  /** Returns the choice that a user made. */
  public static DirectIo of(boolean direct) {
    return direct ? ON : OFF;
  }
}
