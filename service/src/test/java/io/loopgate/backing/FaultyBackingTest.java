package io.loopgate.backing;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The test double does what its users count on. */
class FaultyBackingTest {
  private static final int BLOCK_BYTES = 4096;

  private final Path image = BackingFixture.directory().resolve("image.raw");
  private FaultyBacking faulty;
  private BackingFixture on;

  @BeforeEach
  void open() {
    FileBackings.create(image, 1 << 20);
    faulty =
        new FaultyBacking(FileBackings.open(image, new OpenOptions(false, false, BLOCK_BYTES)));
    on = new BackingFixture(faulty);
  }

  @AfterEach
  void close() throws Exception {
    on.close();
    Files.delete(image);
  }

  @Test
  void failsTheNthOnly() {
    faulty.failNth(BlockOp.WRITE, 2, Errno.EIO);
    byte[] bytes = pattern(BLOCK_BYTES, 1);
    assertThat(on.write(0, bytes, 0)).isEqualTo(BLOCK_BYTES);
    assertThat(on.write(0, bytes, 0)).isEqualTo(-Errno.EIO);
    assertThat(on.write(0, bytes, 0)).isEqualTo(BLOCK_BYTES);
    assertThat(faulty.executed()).isEqualTo(3);
  }

  @Test
  void failsAtAnOffsetAndHeals() {
    faulty.failAt(BlockOp.READ, 10_000, Errno.EIO);
    assertThat(on.readResult(0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
    assertThat(on.readResult(2L * BLOCK_BYTES, BLOCK_BYTES)).isEqualTo(-Errno.EIO);
    assertThat(faulty.heal()).isSameAs(faulty);
    assertThat(on.readResult(2L * BLOCK_BYTES, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
  }

  @Test
  void shortStepsMakeTheSameWhole() {
    faulty.shortenTo(1000);
    byte[] bytes = pattern(3 * BLOCK_BYTES, 2);
    assertThat(on.write(5, bytes, 0)).isEqualTo(bytes.length);
    assertThat(faulty.executed()).isEqualTo(13);
    assertThat(on.read(5, bytes.length)).isEqualTo(bytes);
    assertThat(on.discard(5, 2000)).isEqualTo(2000);
  }

  @Test
  void flushFailsAndTriesAnswerAsTold() {
    faulty.failFlush(Errno.EIO).forceTry(Errno.EAGAIN);
    assertThat(on.flush()).isEqualTo(-Errno.EIO);
    assertThat(on.tryRead(0, BLOCK_BYTES)).isEqualTo(-Errno.EAGAIN);
    faulty.forceTry(Errno.EOPNOTSUPP);
    assertThat(on.tryRead(0, BLOCK_BYTES)).isEqualTo(-Errno.EOPNOTSUPP);
    assertThat(faulty.tried()).isEqualTo(2);
  }

  @Test
  void holdsUntilReleased() throws InterruptedException {
    FaultyBacking.Gate gate = faulty.hold(request -> request.op() == BlockOp.READ);
    Thread reader = Thread.ofPlatform().start(() -> on.read(0, BLOCK_BYTES));
    gate.awaitWaiting(1);
    assertThat(on.flush()).as("only reads are held").isZero();
    assertThat(reader.isAlive()).isTrue();
    gate.release();
    assertThat(reader.join(Duration.ofSeconds(30))).isTrue();
    assertThat(gate.waiting()).isZero();
    assertThat(on.readResult(0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
  }
}
