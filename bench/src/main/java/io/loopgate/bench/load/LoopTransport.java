package io.loopgate.bench.load;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** What kind of event loops commands are submitted from. */
public enum LoopTransport {
  EPOLL,
  IO_URING,
  /** Plain Java: no descriptor of the kernel's and no ring can be watched. */
  NIO;

  /** Returns how users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a word.
   *
   * @throws IllegalArgumentException naming the valid ones
   */
  public static LoopTransport parse(String text) {
    return Arrays.stream(values())
        .filter(transport -> transport.word().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "transport is one of epoll, io_uring, nio, not \"" + text + "\""));
  }

  /**
   * Starts loops.
   *
   * @throws IllegalArgumentException if this machine has no such loops
   */
  public EventLoopGroup start(int loops, ThreadFactory threads) {
    return switch (this) {
      case EPOLL -> {
        require(Epoll.unavailabilityCause());
        yield new MultiThreadIoEventLoopGroup(loops, threads, EpollIoHandler.newFactory());
      }
      case IO_URING -> {
        require(IoUring.unavailabilityCause());
        yield new MultiThreadIoEventLoopGroup(loops, threads, IoUringIoHandler.newFactory());
      }
      case NIO -> new MultiThreadIoEventLoopGroup(loops, threads, NioIoHandler.newFactory());
    };
  }

  /** Returns the kind of socket that goes with such loops. */
  public Class<? extends SocketChannel> socketChannel() {
    return switch (this) {
      case EPOLL -> EpollSocketChannel.class;
      case IO_URING -> IoUringSocketChannel.class;
      case NIO -> NioSocketChannel.class;
    };
  }

  private void require(@Nullable Throwable cause) {
    if (cause != null) {
      throw new IllegalArgumentException("no loops on " + word() + " here: " + cause.getMessage());
    }
  }
}
