package io.loopgate.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.Support;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only what the kernel does just as the backing would may go past the backing. */
class TransferRulesTest {
  private static final int UNIT_BYTES = 4096;

  private final Path image = BackingFixture.directory().resolve("image.raw");

  @BeforeEach
  void create() {
    FileBackings.create(image, 1 << 20);
  }

  @AfterEach
  void delete() throws IOException {
    Files.delete(image);
  }

  private DescriptorBacking open(boolean readOnly, boolean direct) {
    return FileBackings.open(image, new OpenOptions(readOnly, direct, UNIT_BYTES));
  }

  private static BlockRequest request(BlockOp op, long offsetBytes, long lengthBytes, int flags) {
    return BackingFixture.request(op, offsetBytes, lengthBytes, UNIT_BYTES, flags);
  }

  private static boolean isPlain(Backing on, BlockOp op) {
    return new TransferRules(on).isPlain(request(op, 0, UNIT_BYTES, 0));
  }

  @Test
  void onlyReadsAndWritesAreTransfers() {
    try (Backing file = open(false, true)) {
      for (BlockOp op : BlockOp.values()) {
        assertThat(isPlain(file, op)).isEqualTo(op == BlockOp.READ || op == BlockOp.WRITE);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void offsetsLengthsAndMemoryOfDirectFilesAreAligned(boolean direct) {
    try (Backing file = open(false, direct)) {
      BlockRequest[] misaligned = {
        request(BlockOp.READ, 1, UNIT_BYTES, 0),
        request(BlockOp.WRITE, 0, UNIT_BYTES - 1, 0),
        BackingFixture.request(BlockOp.READ, 0, UNIT_BYTES, UNIT_BYTES + 1, 0)
      };
      for (BlockRequest each : misaligned) {
        assertThat(new TransferRules(file).isPlain(each)).isEqualTo(!direct);
      }
    }
  }

  @Test
  void aReadOnlyFileIsNotWritten() {
    try (Backing file = open(true, true)) {
      assertThat(isPlain(file, BlockOp.READ)).isTrue();
      assertThat(isPlain(file, BlockOp.WRITE)).isFalse();
    }
  }

  @Test
  void aDurableWriteNeedsAFileThatCanDoIt() {
    BlockRequest durable = request(BlockOp.WRITE, 0, UNIT_BYTES, BlockRequest.FUA);
    try (Backing file = open(false, true)) {
      assertThat(new TransferRules(file).isPlain(durable)).isTrue();
      Backing without = withoutDsync(file);
      assertThat(new TransferRules(without).isPlain(durable)).isFalse();
      assertThat(isPlain(without, BlockOp.WRITE)).isTrue();
    }
  }

  private static Backing withoutDsync(Backing file) {
    BackingCapabilities all = file.capabilities();
    BackingCapabilities fewer =
        new BackingCapabilities(
            all.nowaitRead(),
            all.nowaitWrite(),
            all.direct(),
            all.punchHole(),
            all.zeroRange(),
            Support.no("an old kernel"),
            all.stable(),
            all.extents(),
            all.neverBlocks());
    return (Backing)
        Proxy.newProxyInstance(
            Backing.class.getClassLoader(),
            new Class<?>[] {Backing.class},
            (proxy, method, arguments) ->
                method.getName().equals("capabilities") ? fewer : method.invoke(file, arguments));
  }

  @Test
  void aFileFoundShrunkIsWrittenUnderTheBackingsEyes() throws IOException {
    try (DescriptorBacking file = open(false, false);
        FileChannel beneath = FileChannel.open(image, StandardOpenOption.WRITE)) {
      TransferRules rules = new TransferRules(file);
      BlockRequest write = request(BlockOp.WRITE, 0, UNIT_BYTES, 0);
      beneath.truncate(1);
      assertThat(rules.isPlain(write)).as("nobody has noticed").isTrue();
      assertThat(file.execute(request(BlockOp.FLUSH, 0, 0, 0))).isNegative();
      assertThat(rules.isPlain(write)).isFalse();
      assertThat(rules.isPlain(request(BlockOp.READ, 0, UNIT_BYTES, 0))).isTrue();
      file.resize(1 << 20);
      assertThat(rules.isPlain(write)).isTrue();
    }
  }
}
