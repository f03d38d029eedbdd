package io.loopgate.engine.aio;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.CompletionQueue;
import io.loopgate.engine.Ends;
import io.loopgate.engine.InFlight;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which commands become one, and in which order they go. */
class GroupsTest {
  private static final int BLOCK = 4096;

  private final List<Long> expired = new ArrayList<>();
  private final Ends ends = new Ends(new InFlight(1));
  private final Slot slot = new Slot(0);

  private BlockRequest command(BlockOp op, long offset, long length, long deadlineNanos) {
    return new BlockRequest(new CompletionQueue(0, Runnable::run))
        .prepare(
            op,
            offset,
            length,
            0,
            0,
            deadlineNanos,
            (ended, result) -> {
              assertThat(result).isEqualTo(-Errno.DEADLINE);
              expired.add(ended.offsetBytes() / BLOCK);
            });
  }

  private BlockRequest block(long number) {
    return command(BlockOp.READ, number * BLOCK, BLOCK, BlockRequest.NO_DEADLINE);
  }

  private static Groups groups(boolean merge, BlockRequest... requests) {
    Groups groups = new Groups(32, merge);
    for (BlockRequest request : requests) {
      groups.add(request);
    }
    return groups;
  }

  /** Empties the groups and returns the blocks of each. */
  private List<List<Long>> drain(Groups groups, long nowNanos) {
    List<List<Long>> drained = new ArrayList<>();
    while (!groups.isEmpty()) {
      if (groups.pollInto(slot, nowNanos, ends)) {
        List<Long> blocks = new ArrayList<>();
        int parts = slot.parts();
        while (!slot.isEmpty()) {
          blocks.add(slot.pop().offsetBytes() / BLOCK);
        }
        assertThat(blocks).hasSize(parts);
        drained.add(blocks);
      }
    }
    return drained;
  }

  @Test
  void neighboursJoinInOrder() {
    assertThat(drain(groups(true, block(1), block(2), block(3)), 0))
        .containsExactly(List.of(1L, 2L, 3L));
  }

  @Test
  void withoutMergingEachStaysAlone() {
    assertThat(drain(groups(false, block(1), block(2)), 0))
        .containsExactly(List.of(1L), List.of(2L));
  }

  @Test
  void interleavedStreamsAreToldApart() {
    Groups groups =
        groups(true, block(10), block(50), block(11), block(90), block(51), block(12), block(91));
    assertThat(drain(groups, 0))
        .containsExactly(List.of(10L, 11L, 12L), List.of(50L, 51L), List.of(90L, 91L));
  }

  @Test
  void whatLiesInFrontOrElsewhereStaysAlone() {
    assertThat(drain(groups(true, block(5), block(4), block(7)), 0))
        .containsExactly(List.of(5L), List.of(4L), List.of(7L));
  }

  @Test
  void groupsHaveBounds() {
    BlockRequest[] many = new BlockRequest[Groups.PARTS_MAX + 1];
    for (int i = 0; i < many.length; i++) {
      many[i] = block(i);
    }
    assertThat(drain(groups(true, many), 0)).map(List::size).containsExactly(Groups.PARTS_MAX, 1);
    long half = Groups.GROUP_BYTES_MAX / 2;
    Groups large =
        groups(
            true,
            command(BlockOp.WRITE, 0, half, BlockRequest.NO_DEADLINE),
            command(BlockOp.WRITE, half, half, BlockRequest.NO_DEADLINE),
            command(BlockOp.WRITE, 2 * half, BLOCK, BlockRequest.NO_DEADLINE));
    assertThat(drain(large, 0)).map(List::size).containsExactly(2, 1);
  }

  @Test
  void itIsFullWithAsManyGroupsAsItHasRoomFor() {
    for (int capacity : new int[] {1, 3, 4}) {
      Groups groups = new Groups(capacity, true);
      for (int i = 0; i < capacity; i++) {
        assertThat(groups.isFull()).isFalse();
        groups.add(block(2L * i));
      }
      assertThat(groups.isFull()).isTrue();
      assertThat(drain(groups, 0)).hasSize(capacity);
    }
  }

  @Test
  void anExpiredCommandTearsItsGroup() {
    Groups groups =
        groups(
            true,
            command(BlockOp.READ, 0, BLOCK, 100),
            block(1),
            block(2),
            command(BlockOp.READ, 3 * BLOCK, BLOCK, 100),
            block(4),
            command(BlockOp.READ, 5 * BLOCK, BLOCK, 300),
            command(BlockOp.READ, 9 * BLOCK, BLOCK, 100));
    assertThat(drain(groups, 200)).containsExactly(List.of(1L, 2L), List.of(4L, 5L));
    assertThat(expired).containsExactly(0L, 3L, 9L);
  }

  @Test
  void itGoesRoundAndRound() {
    Groups groups = new Groups(3, true);
    for (int round = 0; round < 20; round++) {
      groups.add(block(10L * round));
      groups.add(block(10L * round + 5));
      groups.add(block(10L * round + 1));
      assertThat(drain(groups, 0))
          .containsExactly(List.of(10L * round, 10L * round + 1), List.of(10L * round + 5));
    }
    groups.add(block(1));
    groups.add(block(2));
    assertThat(groups.poll()).isNotNull().extracting(BlockRequest::next).isNotNull();
    assertThat(groups.poll()).isNull();
  }
}
