package io.loopgate.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The keys of one volume, the same in {@code --volume} and in YAML. */
public enum VolumeKey {
  /** The name of the volume; first in {@code --volume}, before the equals sign. */
  ID("id", "a DNS label"),
  /** What serves it; in {@code --volume} what follows the equals sign. */
  PATH("path", "a file, a block device, ram:SIZE, null:SIZE, or linear:A+B"),
  /** The engine. */
  ENGINE("engine", "auto or a name, such as workers:4 (auto)"),
  /** Number of queues. */
  QUEUES("queues", "independent queues; 0 is what suits the engine (0)"),
  /** Bound of commands that run. */
  DEPTH("depth", "commands the kernel or the threads have at a time (128)"),
  /** Adjacent commands become one. */
  MERGE("merge", "on or off: adjacent small commands become one (on)"),
  /** No try without waiting. */
  PUNT("punt", "on or off: io_uring hands every command to its workers (off)"),
  /** The layer that tries without waiting. */
  NOWAIT("nowait", "off, always or auto (auto)"),
  /** Past the page cache. */
  DIRECT("direct", "on, off or auto, which is on for block devices (auto)"),
  /** Refuses writes. */
  READONLY("readonly", "on or off (off)"),
  /** What a successful write means. */
  DURABILITY("durability", "durable or writeback (durable)"),
  /** The size of a block. */
  BLOCK_SIZE("blockSize", "512 or 4096 (512)"),
  /** What happens to unaligned writes. */
  ALIGNMENT("alignment", "any or strict (any)"),
  /** Bound of requests. */
  MAX_IN_FLIGHT("maxInFlight", "requests being served at a time (1024)"),
  /** Bound of requests a second. */
  OPERATIONS_PER_SECOND("operationsPerSecond", "0 is no limit (0)"),
  /** Bound of bytes a second. */
  BYTES_PER_SECOND("bytesPerSecond", "such as 100MiB; 0 is no limit (0)"),
  /** The size of a file that is made. */
  SIZE("size", "such as 1GiB; makes a missing file of this size");

  private static final List<VolumeKey> ALL = List.of(values());

  private final String key;
  private final String description;

  VolumeKey(String key, String description) {
    this.key = key;
    this.description = description;
  }

  /** Returns the key as users write it. */
  public String key() {
    return key;
  }

  /** Returns the values it takes, with the default. */
  public String description() {
    return description;
  }

  /** Returns every key. */
  public static List<VolumeKey> all() {
    return ALL;
  }

  /** Returns the keys that may follow the path in {@code --volume}. */
  public static List<VolumeKey> options() {
    return ALL.stream().filter(key -> key != ID && key != PATH).toList();
  }

  /** Tells whether the key alone means that it is on. */
  boolean isSwitch() {
    return this == DIRECT || this == READONLY || this == PUNT;
  }

  static Optional<VolumeKey> find(String key) {
    return Arrays.stream(values()).filter(candidate -> candidate.key.equals(key)).findFirst();
  }
}
