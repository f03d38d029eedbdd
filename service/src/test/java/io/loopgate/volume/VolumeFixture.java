package io.loopgate.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.SegmentedBacking;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.backing.open.Backings;
import io.loopgate.block.BlockRequest;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.LoopContext;
import io.loopgate.engine.TestLoop;
import io.loopgate.layer.NowaitMode;
import io.loopgate.sys.AlignedMemory;
import io.loopgate.telemetry.LoopTelemetry;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A volume on a file, with a few loops that use it the way the data plane does. */
final class VolumeFixture implements AutoCloseable {
  private static final long SECONDS_MAX = 30;
  private static final int LOOP_COMMANDS_MAX = 4096;
  private static final long MALLOC_ALIGNMENT_BYTES = 8;

  private final List<TestLoop> loops = new ArrayList<>();
  private final List<IoLoop> ioLoops = new ArrayList<>();
  private final Path image = BackingFixture.directory().resolve("image.raw");
  private final List<FaultyBacking> faulty = new ArrayList<>();
  private final VolumeOpener opener;
  private final Volume volume;

  /** Opens a volume on a file whose failures are programmed. */
  VolumeFixture(int loopCount, long sizeBytes, VolumeSettings settings) {
    this(loopCount, LOOP_COMMANDS_MAX, sizeBytes, settings);
  }

  /** Opens such a volume for loops that may have so many commands in flight. */
  VolumeFixture(int loopCount, int loopCommandsMax, long sizeBytes, VolumeSettings settings) {
    this(
        loopCount,
        loopCommandsMax,
        sizeBytes,
        settings,
        (image, options) -> FileBackings.open(image, options));
  }

  /** Opens a volume on any backing, which may have a file for a part of it. */
  static VolumeFixture on(String engine, long fileBytes, Function<Path, String> backing) {
    return new VolumeFixture(
        2,
        LOOP_COMMANDS_MAX,
        fileBytes,
        settings(engine, false, VolumeSettings.DEFAULT_BLOCK_SIZE_BYTES),
        (image, options) -> Backings.open(backing.apply(image), options));
  }

  private VolumeFixture(
      int loopCount,
      int loopCommandsMax,
      long sizeBytes,
      VolumeSettings settings,
      BiFunction<Path, OpenOptions, Backing> open) {
    FileBackings.create(image, sizeBytes);
    for (int i = 0; i < loopCount; i++) {
      TestLoop loop = new TestLoop(i);
      loops.add(loop);
      ioLoops.add(new IoLoop(loop, new LoopTelemetry(i, loopCommandsMax)));
    }
    opener =
        new VolumeOpener(
            (name, options) -> {
              Backing opened = open.apply(image, options);
              if (opened instanceof SegmentedBacking) {
                // Nothing may stand between an engine and the segments.
                return opened;
              }
              faulty.add(new FaultyBacking(opened));
              return faulty.getFirst();
            },
            new EngineSelector(),
            List.<LoopContext>copyOf(loops),
            true);
    volume = opener.open(settings);
  }

  static VolumeSettings settings(String engine, boolean direct, int blockSizeBytes) {
    return new VolumeSettings(
        "v",
        "image",
        engine,
        EngineOptions.DEFAULT,
        NowaitMode.AUTO,
        DirectIo.of(direct),
        false,
        Durability.DURABLE,
        blockSizeBytes,
        AlignmentPolicy.ANY,
        VolumeLimits.DEFAULT);
  }

  Volume volume() {
    return volume;
  }

  /** Does to the engine what a change of the volume's settings does. */
  void switchEngine(String engine) {
    VolumeSettings settings = volume.settings().withEngine(engine);
    volume.switchEngine(opener.start(settings, volume.backing(), volume.telemetry()));
    volume.apply(settings);
  }

  FaultyBacking backing() {
    return faulty.getFirst();
  }

  TestLoop loop(int index) {
    return loops.get(index);
  }

  IoLoop io(int index) {
    return ioLoops.get(index);
  }

  static long get(CompletableFuture<Long> result) {
    return result.orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
  }

  /** Writes on a loop; the result is complete when the change is. */
  CompletableFuture<Long> write(int loop, long offsetBytes, byte[] bytes) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    loops
        .get(loop)
        .execute(
            () -> {
              IoWindow window = IoWindow.around(offsetBytes, bytes.length, volume.geometry());
              AlignedMemory memory =
                  AlignedMemory.allocate(MALLOC_ALIGNMENT_BYTES, window.allocationBytes());
              long address = window.alignedAddress(memory.address());
              MemorySegment.copy(
                  bytes,
                  0,
                  memory.segment(),
                  ValueLayout.JAVA_BYTE,
                  address - memory.address() + window.skipBytes(),
                  bytes.length);
              Mutation mutation = volume.beginMutation(ioLoops.get(loop), BlockRequest.NO_DEADLINE);
              mutation.write(
                  window,
                  address,
                  written -> {
                    memory.close();
                    end(mutation, written, result);
                  });
            });
    return result;
  }

  private static void end(Mutation mutation, long written, CompletableFuture<Long> result) {
    if (written < 0) {
      mutation.abandon();
      result.complete(written);
    } else {
      mutation.finish(false, (ended, sequence, durable) -> result.complete(written));
    }
  }

  CompletableFuture<Long> zero(int loop, long offsetBytes, long lengthBytes, boolean mayUnmap) {
    return change(loop, (mutation, end) -> mutation.zero(offsetBytes, lengthBytes, mayUnmap, end));
  }

  CompletableFuture<Long> discard(int loop, long offsetBytes, long lengthBytes) {
    return change(loop, (mutation, end) -> mutation.discard(offsetBytes, lengthBytes, end));
  }

  private interface Change {
    void begin(Mutation mutation, IoHandler end);
  }

  private CompletableFuture<Long> change(int loop, Change change) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    loops
        .get(loop)
        .execute(
            () -> {
              Mutation mutation = volume.beginMutation(ioLoops.get(loop), BlockRequest.NO_DEADLINE);
              change.begin(mutation, ended -> end(mutation, ended, result));
            });
    return result;
  }

  CompletableFuture<Long> flush(int loop) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    loops.get(loop).execute(() -> volume.flush(ioLoops.get(loop), result::complete));
    return result;
  }

  /** Reads on a loop and returns the bytes, which have to come. */
  byte[] read(int loop, long offsetBytes, int lengthBytes) {
    IoWindow window = IoWindow.around(offsetBytes, lengthBytes, volume.geometry());
    try (AlignedMemory memory =
        AlignedMemory.allocate(MALLOC_ALIGNMENT_BYTES, window.allocationBytes())) {
      long address = window.alignedAddress(memory.address());
      assertThat(get(readTo(loop, window, address))).isEqualTo(lengthBytes);
      return memory
          .segment()
          .asSlice(address - memory.address() + window.skipBytes(), lengthBytes)
          .toArray(ValueLayout.JAVA_BYTE);
    }
  }

  CompletableFuture<Long> readTo(int loop, IoWindow window, long address) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    loops
        .get(loop)
        .execute(
            () ->
                volume.read(
                    ioLoops.get(loop),
                    window,
                    address,
                    BlockRequest.NO_DEADLINE,
                    result::complete));
    return result;
  }

  @Override
  public void close() {
    volume.close(Duration.ofSeconds(SECONDS_MAX));
    faulty.forEach(FaultyBacking::close);
    loops.forEach(TestLoop::close);
    try {
      Files.delete(image);
    } catch (IOException e) {
      throw new AssertionError("the image is gone", e);
    }
  }
}
