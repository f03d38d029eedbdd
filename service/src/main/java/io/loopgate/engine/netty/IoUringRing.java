package io.loopgate.engine.netty;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.sys.LinuxConstants;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoOps;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A registration with the io_uring of a Netty event loop.
 *
 * <p>A transfer is written into the submission queue that all of the loop's sockets use, and goes
 * to the kernel with the loop's next {@code io_uring_enter}: many share one call. If the queue is
 * full (128 entries unless {@code io.netty.iouring.ringSize} says otherwise), Netty enters the
 * kernel at once and goes on, so depth is not bound by it. Completions cannot be lost: the
 * completion queue of Netty's loops has 4096 entries, and what does not fit the kernel keeps aside
 * ({@code IORING_FEAT_NODROP}, Linux 5.5, and Netty asks for 5.9) until Netty, which watches {@code
 * IORING_SQ_CQ_OVERFLOW}, fetches it. An overflow costs time and a warning in the log.
 *
 * <p>Slots stay below 32768, the bound under which Netty carries the number in the kernel's {@code
 * user_data} itself, without a table. The one object made per transfer is Netty's {@code
 * IoUringIoOps}.
 */
final class IoUringRing implements Ring {
  private static final Logger LOG = LoggerFactory.getLogger(IoUringRing.class);

  /** How long an idle loop may take to do what it is asked. */
  static final Duration LOOP_TIMEOUT = Duration.ofSeconds(10);

  /** How long to wait for transfers that an engine has given up waiting for. */
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);

  private static final byte IORING_OP_READ = 22;
  private static final byte IORING_OP_WRITE = 23;
  private static final byte IOSQE_ASYNC = 1 << 4;

  /** The kernel moves at most 2 GiB less a page in one step; this is aligned to everything. */
  private static final long STEP_BYTES_MAX = 1L << 30;

  /** What Netty answers once a registration is cancelled. */
  private static final long NOT_SUBMITTED = 0;

  private final IoEventLoop loop;
  private final Handle handle;
  private final IoRegistration registration;
  private final int fd;
  private final byte flags;
  private boolean failedBefore;

  /**
   * Joins the ring of a loop. For control threads: waits for the loop.
   *
   * @throws IllegalStateException if the loop does not answer, or is ending
   */
  IoUringRing(IoEventLoop loop, RingOptions options, Listener listener) {
    this.loop = loop;
    this.handle = new Handle(listener);
    this.registration = register(loop, handle);
    this.fd = options.fd();
    this.flags = options.punt() ? IOSQE_ASYNC : 0;
  }

  static IoRegistration register(IoEventLoop loop, IoUringIoHandle handle) {
    try {
      return loop.register(handle).get(LOOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("an event loop does not let an engine use its ring", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while joining the ring of an event loop", e);
    }
  }

  @Override
  public boolean isHere() {
    return loop.inEventLoop();
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public boolean transfer(int slot, BlockRequest request) {
    if (handle.loopIsClosing) {
      return false;
    }
    boolean isWrite = request.op() == BlockOp.WRITE;
    int rwFlags = isWrite && request.isFua() ? LinuxConstants.RWF_DSYNC : 0;
    IoUringIoOps transfer =
        new IoUringIoOps(
            isWrite ? IORING_OP_WRITE : IORING_OP_READ,
            flags,
            (short) 0,
            fd,
            request.remainingOffsetBytes(),
            request.remainingAddress(),
            (int) Math.min(request.remainingBytes(), STEP_BYTES_MAX),
            rwFlags,
            slot,
            (short) 0,
            (short) 0,
            0,
            0L);
    try {
      return registration.submit(transfer) != NOT_SUBMITTED;
    } catch (RuntimeException e) {
      // Netty throws before it writes the entry, when a full queue cannot be handed to the kernel.
      if (!failedBefore) {
        failedBefore = true;
        LOG.warn("io_uring_enter failed; worker threads run what the ring does not take", e);
      }
      return false;
    }
  }

  @Override
  public void close() {
    try {
      registration.cancel();
    } catch (RejectedExecutionException e) {
      LOG.debug("the loop had ended before the engine on its ring", e);
      return;
    }
    // Netty keeps the registration until the last completion has come, however long that takes.
    if (!handle.awaitUnregistered()) {
      LOG.warn("transfers are still in the kernel; they are waited for without end");
    }
  }

  /** What Netty knows of it. All methods run on the loop. */
  private static final class Handle implements IoUringIoHandle {
    private final Listener listener;
    private final CountDownLatch unregistered = new CountDownLatch(1);
    private boolean loopIsClosing;

    Handle(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
      IoUringIoEvent ended = (IoUringIoEvent) event;
      try {
        listener.ended((int) ended.userData(), ended.res());
      } catch (RuntimeException e) {
        // Netty would let the whole loop sleep for 100 ms and miscount what is in flight.
        LOG.error("an engine failed to end a transfer", e);
      }
    }

    @Override
    public void unregistered() {
      unregistered.countDown();
    }

    /** The loop ends: it waits for what is in the ring, for a while, and takes nothing new. */
    @Override
    public void close() {
      loopIsClosing = true;
      listener.closing();
    }

    boolean awaitUnregistered() {
      try {
        return unregistered.await(LEAVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
