package io.loopgate.engine.aio;

import static io.loopgate.backing.BackingFixture.pattern;
import static io.loopgate.block.BlockOp.READ;
import static io.loopgate.block.BlockOp.WRITE;
import static io.loopgate.engine.aio.AioRig.BLOCK_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.loopgate.backing.BackingException;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.Job;
import io.loopgate.engine.TestLoop;
import io.loopgate.sys.AsyncIo;
import io.loopgate.sys.SystemCallException;
import io.loopgate.telemetry.NowaitOutcome;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code aio} on files of this machine's kernel. */
class AioFileTest {
  private static final int BLOCKS = 256;
  private static final Path MEMORY = Path.of("/dev/shm");

  private final AioRig rig = new AioRig(BLOCKS, 2, AioFileTest::loop);

  private static TestLoop loop(int index) {
    return new TestLoop(index, EpollIoHandler.newFactory());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void everyTransferOfAWrittenFileHits() {
    rig.written().onRealKernel(EngineOptions.DEFAULT);
    for (int i = 0; i < 20; i++) {
      byte[] bytes = pattern(BLOCK_BYTES, i);
      assertThat(rig.run(rig.job(i % 2, WRITE, 3 * i, 1).fill(bytes))).isEqualTo(BLOCK_BYTES);
      Job read = rig.job(i % 2, READ, 3 * i, 1);
      assertThat(rig.run(read)).isEqualTo(BLOCK_BYTES);
      assertThat(read.content(BLOCK_BYTES)).isEqualTo(bytes);
    }
    for (BlockOp op : new BlockOp[] {READ, WRITE}) {
      assertThat(rig.nowait(op, NowaitOutcome.HIT)).isEqualTo(20);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(rig.content(3 * i, 1)).isEqualTo(pattern(BLOCK_BYTES, i));
    }
    assertThat(rig.run(rig.job(0, WRITE, 0, 1))).isEqualTo(BLOCK_BYTES);
    assertThat(rig.nowait(WRITE, NowaitOutcome.AGAIN)).as("its page is cached now").isEqualTo(1);
  }

  @Test
  void writesIntoHolesWouldWait() {
    rig.onRealKernel(EngineOptions.DEFAULT.withMerge(false));
    List<Job> writes = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      writes.add(rig.job(0, WRITE, 2 * i, 1).fill(pattern(BLOCK_BYTES, i)));
    }
    rig.submit(writes.toArray(Job[]::new));
    for (int i = 0; i < 32; i++) {
      assertThat(writes.get(i).awaitResult(1)).isEqualTo(BLOCK_BYTES);
      assertThat(rig.content(2 * i, 1)).isEqualTo(pattern(BLOCK_BYTES, i));
    }
    assertThat(rig.nowait(WRITE, NowaitOutcome.AGAIN)).isPositive();
    assertThat(rig.nowait(WRITE, NowaitOutcome.HIT)).isZero();
    assertThat(rig.nowait(WRITE, NowaitOutcome.AGAIN) + rig.nowait(WRITE, NowaitOutcome.SKIPPED))
        .as("each command counts once")
        .isEqualTo(32);
    Job hole = rig.job(1, READ, 101, 1).fill(pattern(BLOCK_BYTES, 1));
    assertThat(rig.run(hole)).isEqualTo(BLOCK_BYTES);
    assertThat(hole.content(BLOCK_BYTES)).containsOnly(0);
    assertThat(rig.blockingWrites().any()).isFalse();
  }

  @Test
  void mergedTransfersKeepTheirBytes() {
    rig.onRealKernel(EngineOptions.DEFAULT);
    List<Job> writes = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      writes.add(rig.job(0, WRITE, 10 + i, 1).fill(pattern(BLOCK_BYTES, i)));
    }
    rig.submit(writes.toArray(Job[]::new));
    for (int i = 0; i < 40; i++) {
      assertThat(writes.get(i).awaitResult(1)).isEqualTo(BLOCK_BYTES);
      assertThat(rig.content(10 + i, 1)).isEqualTo(pattern(BLOCK_BYTES, i));
    }
    List<Job> reads = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      reads.add(rig.job(0, READ, 10 + i, 1));
    }
    rig.submit(reads.toArray(Job[]::new));
    for (int i = 0; i < 40; i++) {
      assertThat(reads.get(i).awaitResult(1)).isEqualTo(BLOCK_BYTES);
      assertThat(reads.get(i).content(BLOCK_BYTES)).isEqualTo(pattern(BLOCK_BYTES, i));
    }
    assertThat(rig.telemetry().merged()).isEqualTo(2 * 39);
  }

  @Test
  void theOtherCommandsWorkToo() {
    rig.onRealKernel(EngineOptions.DEFAULT);
    Job durable =
        rig.job(0, 1)
            .fill(pattern(BLOCK_BYTES, 1))
            .prepare(WRITE, 0, BLOCK_BYTES, BlockRequest.FUA, BlockRequest.NO_DEADLINE);
    assertThat(rig.run(durable)).isEqualTo(BLOCK_BYTES);
    assertThat(rig.run(rig.job(0, 1).prepare(BlockOp.FLUSH, 0, 0))).isZero();
    assertThat(rig.content(0, 1)).isEqualTo(pattern(BLOCK_BYTES, 1));
    assertThat(rig.run(rig.job(1, 1).prepare(BlockOp.ZERO, 0, 100))).isEqualTo(100);
    assertThat(rig.content(0, 1)).startsWith(new byte[100]);
    assertThat(rig.run(rig.job(1, 1).prepare(BlockOp.DISCARD, 0, BLOCK_BYTES)))
        .isEqualTo(BLOCK_BYTES);
    assertThat(rig.content(0, 1)).containsOnly(0);
  }

  @Test
  void readingBeyondTheEndOfAShrunkFileIsTruncation() throws Exception {
    rig.written().onRealKernel(EngineOptions.DEFAULT);
    try (FileChannel channel = FileChannel.open(rig.image(), StandardOpenOption.WRITE)) {
      channel.truncate(10 * BLOCK_BYTES);
    }
    assertThat(rig.run(rig.job(0, READ, 8, 2))).isEqualTo(2 * BLOCK_BYTES);
    assertThat(rig.run(rig.job(0, READ, 20, 1))).isEqualTo(-Errno.TRUNCATED);
    Job across = rig.job(0, READ, 8, 4);
    assertThat(rig.run(across)).isEqualTo(-Errno.TRUNCATED);
    assertThat(across.doneBytes()).isEqualTo(2 * BLOCK_BYTES);
  }

  @Test
  void eachLoopGetsAQueueUnlessToldOtherwise() {
    for (int queues : new int[] {0, 1, 2}) {
      EngineSelector.Choice choice =
          new EngineSelector()
              .open("aio", rig.environment(rig.file(), EngineOptions.DEFAULT.withQueues(queues)));
      rig.on(choice.engine());
      assertThat(choice.reason())
          .isEqualTo(
              "asked for; io_setup works, ends are read from its ring,"
                  + " noticed on the event loop's epoll");
      for (int loop = 0; loop < 2; loop++) {
        byte[] bytes = pattern(BLOCK_BYTES, loop + queues);
        assertThat(rig.run(rig.job(loop, WRITE, loop, 1).fill(bytes))).isEqualTo(BLOCK_BYTES);
        assertThat(rig.content(loop, 1)).isEqualTo(bytes);
      }
      choice.engine().close();
    }
  }

  @Test
  void itSaysWhyItCannotRun() {
    EngineOptions options = EngineOptions.DEFAULT;
    assertThat(AioAvailability.probe("aio", rig.environment(rig.faulty(), options), AsyncIo::open))
        .isInstanceOfSatisfying(
            Availability.Unavailable.class,
            no -> assertThat(no.cause()).contains("is no file or device"));
    try (DescriptorBacking buffered = buffered()) {
      assertThat(AioAvailability.probe("aio", rig.environment(buffered, options), AsyncIo::open))
          .isInstanceOfSatisfying(
              Availability.Unavailable.class,
              no -> {
                assertThat(no.cause()).contains("for direct volumes");
                assertThat(no.remedy()).contains("direct=on");
              });
    }
    assertThat(refused(Errno.EPERM).remedy()).contains("io_setup", "profile");
    assertThat(refused(Errno.ENOSYS).cause())
        .isEqualTo(
            "io_setup: ENOSYS: a seccomp profile or the kernel forbids native asynchronous I/O");
    assertThat(refused(Errno.EAGAIN).cause()).contains("fs.aio-max-nr");
    assertThat(refused(Errno.EAGAIN).remedy()).contains("sysctl -w fs.aio-max-nr=");
    assertThat(refused(Errno.ENOMEM).cause()).isEqualTo("io_setup: ENOMEM");
  }

  private Availability.Unavailable refused(int errno) {
    Availability answer =
        AioAvailability.probe(
            "aio",
            rig.environment(rig.file(), EngineOptions.DEFAULT),
            (slots, partsMax, signal) -> {
              throw new SystemCallException("io_setup", -errno);
            });
    return (Availability.Unavailable) answer;
  }

  private static DescriptorBacking buffered() {
    Path image = BackingFixture.directory().resolve("buffered.raw");
    FileBackings.create(image, BLOCK_BYTES);
    return FileBackings.open(image, new OpenOptions(false, false, BLOCK_BYTES));
  }

  @Test
  void itTakesNoArgument() {
    AioProvider provider = new AioProvider();
    assertThat(provider.configure(new EngineSpec("aio", "")).spec()).hasToString("aio");
    assertThatThrownBy(() -> provider.configure(new EngineSpec("aio", "7")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"7\"");
  }

  @Test
  void filesInMemoryAreRefusedAsDirectOnes() throws Exception {
    inMemory(
        image -> {
          try (DescriptorBacking backing =
              FileBackings.open(image, new OpenOptions(false, true, BLOCK_BYTES))) {
            // Since 6.6 tmpfs tolerates O_DIRECT; loopgate may refuse it all the same.
            assertThat(backing.capabilities().direct().available()).isTrue();
          } catch (BackingException refused) {
            assertThat(refused).hasMessageContaining("direct I/O");
          }
        });
  }

  @Test
  void aFileThatTakesNoTriesIsServedByTheWorker() throws Exception {
    inMemory(
        image -> {
          try (DescriptorBacking backing =
              FileBackings.open(image, new OpenOptions(false, false, BLOCK_BYTES))) {
            rig.on(
                AioEngine.open(
                    rig.environment(backing, EngineOptions.DEFAULT),
                    backing,
                    SubmitPolicy.NOWAIT_FIRST,
                    new SignalWatch()));
            for (int i = 0; i < 4; i++) {
              byte[] bytes = pattern(BLOCK_BYTES, i);
              assertThat(rig.run(rig.job(0, WRITE, i, 1).fill(bytes))).isEqualTo(BLOCK_BYTES);
              Job read = rig.job(0, READ, i, 1);
              assertThat(rig.run(read)).isEqualTo(BLOCK_BYTES);
              assertThat(read.content(BLOCK_BYTES)).isEqualTo(bytes);
            }
            for (BlockOp op : new BlockOp[] {READ, WRITE}) {
              assertThat(rig.nowait(op, NowaitOutcome.UNSUPPORTED)).isEqualTo(1);
              assertThat(rig.nowait(op, NowaitOutcome.SKIPPED)).isEqualTo(3);
            }
            rig.engine().close();
          }
        });
  }

  private static void inMemory(Consumer<Path> test) throws IOException {
    assumeTrue(Files.isDirectory(MEMORY), "there is no " + MEMORY);
    Path image = Files.createTempDirectory(MEMORY, "loopgate").resolve("image.raw");
    try {
      FileBackings.create(image, 16 * BLOCK_BYTES);
      test.accept(image);
    } finally {
      Files.delete(image);
      Files.delete(image.getParent());
    }
  }
}
