package io.loopgate.engine;

import io.loopgate.block.BlockRequest;
import java.time.Duration;

/**
 * Runs commands in lanes, so that nothing slow holds up reads: an object store whose flushes got a
 * lane of their own saw the p99 of its writes fall from 226 to 135 ms
 * (github.com/rustfs/rustfs/issues/6366). What kind of threads serve a lane is the lane's affair.
 */
public final class LanedEngine implements LoopEngine {
  private final EngineCommands commands;
  private final CommandLane reads;
  private final CommandLane writes;
  private final CommandLane slow;

  /**
   * Creates an engine over lanes, which it closes.
   *
   * @param commands what the lanes run commands with
   * @param reads for reads
   * @param writes for writes; may be the same
   * @param slow for flush, discard and zero
   */
  public LanedEngine(
      EngineCommands commands, CommandLane reads, CommandLane writes, CommandLane slow) {
    this.commands = commands;
    this.reads = reads;
    this.writes = writes;
    this.slow = slow;
  }

  @Override
  public boolean submit(BlockRequest request) {
    CommandLane lane =
        switch (request.op()) {
          case READ -> reads;
          case WRITE -> writes;
          case FLUSH, DISCARD, ZERO -> slow;
        };
    return commands.submit(request, lane);
  }

  @Override
  public int inFlight() {
    return commands.inFlight();
  }

  @Override
  public boolean drain(Duration timeout) {
    return commands.drain(timeout);
  }

  @Override
  public void close() {
    commands.close(reads, writes, slow);
  }
}
