package io.loopgate.engine.aio;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.TestLoop;
import io.netty.channel.epoll.EpollIoHandler;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever loops do to a file through {@code aio}, it stays like an array. */
class AioModelTest {
  private static final int BLOCKS = 256;
  private static final int LOOPS = 3;
  private static final int COMMANDS = 400;
  private static final EngineOptions SHORT = EngineOptions.DEFAULT.withDepth(4);

  private static AioRig rig(boolean epoll) {
    return new AioRig(
        BLOCKS,
        LOOPS,
        index -> epoll ? new TestLoop(index, EpollIoHandler.newFactory()) : new TestLoop(index));
  }

  @Property(tries = 12)
  void onTheRealKernel(
      @ForAll long seed, @ForAll boolean merge, @ForAll boolean epoll, @ForAll boolean written) {
    try (AioRig rig = rig(epoll)) {
      if (written) {
        rig.written();
      }
      rig.onRealKernel(SHORT.withMerge(merge));
      new EngineModel(rig, BLOCKS, seed).run(COMMANDS);
    }
  }

  @Property(tries = 12)
  void onKernelsWithFaults(@ForAll long seed, @ForAll boolean merge, @ForAll boolean epoll) {
    try (AioRig rig = rig(epoll)) {
      rig.onFakeKernel(SHORT.withMerge(merge));
      rig.faulty()
          .shortenTo(2 * AioRig.BLOCK_BYTES)
          .fail(request -> isTransfer(request) && request.offsetBytes() % 7 == 0, Errno.EINTR, 3, 8)
          .fail(
              request -> isTransfer(request) && request.offsetBytes() % 3 == 0, Errno.EAGAIN, 5, 7);
      rig.kernel().refuse(3, Errno.EAGAIN);
      new EngineModel(rig, BLOCKS, seed).run(COMMANDS);
    }
  }

  private static boolean isTransfer(BlockRequest request) {
    return request.op() == BlockOp.READ || request.op() == BlockOp.WRITE;
  }
}
