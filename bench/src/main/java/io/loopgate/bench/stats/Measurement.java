package io.loopgate.bench.stats;

import java.util.Map;
import java.util.Optional;

/**
 * What one run of one contender came to.
 *
 * @param seconds how long it was measured
 * @param reads how many reads ended
 * @param writes how many writes ended
 * @param readBytes how many bytes were read
 * @param writtenBytes how many bytes were written
 * @param latency of all commands
 * @param cpu of the commands
 * @param counters what else was counted, by name: outcomes of NOWAIT tries, merges
 * @param server what a server and its client took besides, if there was one
 */
public record Measurement(
    double seconds,
    long reads,
    long writes,
    long readBytes,
    long writtenBytes,
    Latency latency,
    CpuUse cpu,
    Map<String, Long> counters,
    Optional<ServerUse> server) {
  private static final double MIB = 1 << 20;
  private static final double MICROS = 1e6;

  /** Copies the counters. */
  public Measurement {
    counters = Map.copyOf(counters);
  }

  /** Without a server. */
  public Measurement(
      double seconds,
      long reads,
      long writes,
      long readBytes,
      long writtenBytes,
      Latency latency,
      CpuUse cpu,
      Map<String, Long> counters) {
    this(seconds, reads, writes, readBytes, writtenBytes, latency, cpu, counters, Optional.empty());
  }

  /** Returns the same without latencies: those that are known are not of whole commands. */
  public Measurement withoutLatency() {
    return new Measurement(
        seconds, reads, writes, readBytes, writtenBytes, Latency.NOT_SEEN, cpu, counters, server);
  }

  /** Returns the same with what a server took. */
  public Measurement withServer(CpuUse serverCpu, ServerUse use) {
    return new Measurement(
        seconds,
        reads,
        writes,
        readBytes,
        writtenBytes,
        latency,
        serverCpu,
        counters,
        Optional.of(use));
  }

  /** Returns the same with processor time that was found otherwise. */
  public Measurement withCpu(CpuUse otherCpu) {
    return new Measurement(
        seconds, reads, writes, readBytes, writtenBytes, latency, otherCpu, counters, server);
  }

  /** Returns how many commands ended. */
  public long commands() {
    return reads + writes;
  }

  /** Returns commands per second. */
  public double iops() {
    return seconds > 0 ? commands() / seconds : 0;
  }

  /** Returns MiB per second, both directions. */
  public double mibPerSecond() {
    return seconds > 0 ? (readBytes + writtenBytes) / MIB / seconds : 0;
  }

  /** Returns reads per second. */
  public double readIops() {
    return seconds > 0 ? reads / seconds : 0;
  }

  /** Returns writes per second. */
  public double writeIops() {
    return seconds > 0 ? writes / seconds : 0;
  }

  /** Returns microseconds of processor time per command outside of the kernel. */
  public double userMicrosPerCommand() {
    return perCommand(cpu.userSeconds());
  }

  /** Returns microseconds of processor time per command in the kernel. */
  public double systemMicrosPerCommand() {
    return perCommand(cpu.systemSeconds());
  }

  /** Returns microseconds of processor time per command, user and system. */
  public double cpuMicrosPerCommand() {
    return perCommand(cpu.totalSeconds());
  }

  /** Returns microseconds per command that the virtual machine took for itself. */
  public double machineryMicrosPerCommand() {
    return perCommand(cpu.machinerySeconds());
  }

  /** Returns how much memory the server had; not a number if there was none. */
  public double residentMib() {
    return server.map(ServerUse::residentMib).orElse(Double.NaN);
  }

  /** Returns how much of its processors the client took; not a number if nobody looked. */
  public double clientBusyPercent() {
    return server.map(ServerUse::clientBusyPercent).orElse(Double.NaN);
  }

  private double perCommand(double cpuSeconds) {
    return commands() > 0 ? cpuSeconds * MICROS / commands() : 0;
  }
}
