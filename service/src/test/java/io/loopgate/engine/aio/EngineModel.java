package io.loopgate.engine.aio;

import static io.loopgate.engine.aio.AioRig.BLOCK_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.engine.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Random commands from several loops, many at a time, compared with an array. Commands in flight
 * never touch the same block, since there is no order between them.
 */
public final class EngineModel {
  private static final int JOBS_PER_LOOP = 8;
  private static final int BLOCKS_MAX = 12;

  private final AioRig rig;
  private final int blocks;
  private final Random random;
  private final byte[] model;
  private final BitSet busy = new BitSet();
  private final List<Task> idle = new ArrayList<>();
  private final BlockingQueue<Task> ended = new LinkedBlockingQueue<>();
  private int running;
  private int nextBlock;

  /** Begins with the file as it is. */
  public EngineModel(AioRig rig, int blocks, long seed) {
    this.rig = rig;
    this.blocks = blocks;
    this.random = new Random(seed);
    this.model = rig.content(0, blocks);
    for (int loop = 0; loop < rig.loops(); loop++) {
      for (int i = 0; i < JOBS_PER_LOOP; i++) {
        idle.add(new Task(rig.job(loop, BLOCKS_MAX)));
      }
    }
  }

  /** A job and what its command has to bring. */
  private final class Task {
    private final Job job;
    private int block;
    private int length;
    private BlockOp op = BlockOp.FLUSH;

    Task(Job job) {
      this.job = job;
      job.then(() -> ended.add(this));
    }
  }

  /** Runs commands to their end, then compares the whole file. */
  public void run(int commands) {
    for (int i = 0; i < commands; i++) {
      while (idle.isEmpty() || (random.nextInt(4) == 0 && running > 0)) {
        check(await());
      }
      begin(idle.remove(random.nextInt(idle.size())));
    }
    while (running > 0) {
      check(await());
    }
    assertThat(rig.engine().drain(Duration.ofSeconds(30))).isTrue();
    assertThat(Arrays.equals(rig.content(0, blocks), model)).as("the file").isTrue();
  }

  private Task await() {
    try {
      Task task = ended.poll(30, TimeUnit.SECONDS);
      if (task == null) {
        throw new AssertionError(running + " commands never ended");
      }
      running--;
      return task;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void begin(Task task) {
    choose(task);
    busy.set(task.block, task.block + task.length);
    running++;
    int from = task.block * BLOCK_BYTES;
    int to = from + task.length * BLOCK_BYTES;
    byte[] bytes = new byte[to - from];
    if (task.op == BlockOp.WRITE) {
      random.nextBytes(bytes);
      System.arraycopy(bytes, 0, model, from, bytes.length);
    } else if (task.op == BlockOp.ZERO || task.op == BlockOp.DISCARD) {
      Arrays.fill(model, from, to, (byte) 0);
    }
    int flags = random.nextInt(5) == 0 ? BlockRequest.FUA : 0;
    task.job.fill(bytes).prepare(task.op, from, to - from, flags, BlockRequest.NO_DEADLINE);
    task.job
        .loop()
        .execute(
            () -> {
              if (!rig.engine().submit(task.job.request())) {
                throw new AssertionError("refused");
              }
            });
  }

  /** Chooses what to do and where; every other range follows the one before, so that they merge. */
  private void choose(Task task) {
    int dice = random.nextInt(20);
    task.op = dice < 9 ? BlockOp.READ : BlockOp.WRITE;
    if (dice == 19) {
      task.op = BlockOp.FLUSH;
      task.block = 0;
      task.length = 0;
      return;
    }
    if (dice == 18) {
      task.op = random.nextBoolean() ? BlockOp.ZERO : BlockOp.DISCARD;
    }
    do {
      task.length = 1 + random.nextInt(random.nextInt(4) == 0 ? BLOCKS_MAX : 2);
      task.block = random.nextInt(3) > 0 ? nextBlock : random.nextInt(blocks);
      if (task.block + task.length > blocks) {
        task.block = 0;
      }
      nextBlock = random.nextInt(blocks);
    } while (!busy.get(task.block, task.block + task.length).isEmpty());
    nextBlock = task.block + task.length;
  }

  private void check(Task task) {
    int bytes = task.length * BLOCK_BYTES;
    assertThat(task.job.result()).as("%s at block %s", task.op, task.block).isEqualTo(bytes);
    assertThat(task.job.endedOnItsLoop()).isTrue();
    if (task.op == BlockOp.READ) {
      int from = task.block * BLOCK_BYTES;
      assertThat(
              Arrays.equals(task.job.content(bytes), Arrays.copyOfRange(model, from, from + bytes)))
          .as("what was read at block %s", task.block)
          .isTrue();
    }
    busy.clear(task.block, task.block + task.length);
    idle.add(task);
  }
}
