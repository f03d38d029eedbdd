package io.loopgate.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.transport.Transport;
import java.util.concurrent.ThreadFactory;

/**
 * A transport of Vert.x whose accepted sockets begin with an {@link ExpressChannel}.
 *
 * <p>Vert.x tells of a connection only when its first request head is whole; a bound on connections
 * or on the time for a head has to begin when it is accepted. The server's own channel has no
 * handler of Vert.x's, and what it reads are the accepted ones.
 */
public final class ExpressTransport implements Transport {
  private final Transport transport;
  private final ExpressRegistry registry;

  /** Wraps a transport. */
  public ExpressTransport(Transport transport, ExpressRegistry registry) {
    this.transport = transport;
    this.registry = registry;
  }

  @Override
  public String name() {
    return transport.name();
  }

  @Override
  public boolean available() {
    return transport.available();
  }

  @Override
  public Throwable unavailabilityCause() {
    return transport.unavailabilityCause();
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return new Implementation(transport.implementation(), new Acceptor(registry));
  }

  /** Sees each accepted socket before Vert.x does. */
  @ChannelHandler.Sharable
  private static final class Acceptor extends ChannelInboundHandlerAdapter {
    private final ExpressRegistry registry;

    Acceptor(ExpressRegistry registry) {
      this.registry = registry;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Channel accepted) {
        accepted.pipeline().addFirst(new ExpressChannel(registry));
      }
      context.fireChannelRead(message);
    }
  }

  private record Implementation(io.vertx.core.spi.transport.Transport wrapped, Acceptor acceptor)
      implements io.vertx.core.spi.transport.Transport {
    @Override
    public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
      wrapped.configure(config, domainSocket, bootstrap);
      bootstrap.handler(acceptor);
    }

    @Override
    public void configure(TcpConfig config, boolean domainSocket, Bootstrap bootstrap) {
      wrapped.configure(config, domainSocket, bootstrap);
    }

    @Override
    public void configure(DatagramChannel channel, DatagramSocketOptions options) {
      wrapped.configure(channel, options);
    }

    @Override
    public boolean supportsDomainSockets() {
      return wrapped.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
      return wrapped.supportFileRegion();
    }

    @Override
    public boolean isAvailable() {
      return wrapped.isAvailable();
    }

    @Override
    public Throwable unavailabilityCause() {
      return wrapped.unavailabilityCause();
    }

    @Override
    public java.net.SocketAddress convert(SocketAddress address) {
      return wrapped.convert(address);
    }

    @Override
    public SocketAddress convert(java.net.SocketAddress address) {
      return wrapped.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
      return wrapped.ioHandlerFactory();
    }

    @Override
    public EventLoopGroup eventLoopGroup(
        int type, int threads, ThreadFactory threadFactory, int ioRatio) {
      return wrapped.eventLoopGroup(type, threads, threadFactory, ioRatio);
    }

    @Override
    @SuppressWarnings("deprecation") // Asked for by the interface.
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
      return wrapped.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
      return wrapped.datagramChannelFactory();
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
      return wrapped.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
      return wrapped.serverChannelFactory(domainSocket);
    }
  }
}
