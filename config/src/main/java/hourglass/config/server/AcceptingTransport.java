package hourglass.config.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultChannelPipeline;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates the same JDK sockets that Vert.x uses by default, but reports failures to accept to
 * {@link AcceptFailures}, and each connection of HTTP from its accept. Vert.x itself shows a
 * connection only after its handshake or its first request. Netty itself would log a text about its
 * pipeline for each failure to accept. Thread-safe.
 */
final class AcceptingTransport implements io.vertx.core.transport.Transport, Transport {
  private final AcceptFailures failures;
  private volatile @Nullable Consumer<Channel> onHttp;

  AcceptingTransport(AcceptFailures failures) {
    this.failures = failures;
  }

  /**
   * Calls {@code onHttp} with each connection of the HTTP server that listens after this, on the
   * connection's event loop, after Vert.x has added its first handlers.
   */
  void onHttp(Consumer<Channel> onHttp) {
    this.onHttp = onHttp;
  }

  @Override
  public String name() {
    return NIO.name();
  }

  @Override
  public boolean available() {
    return true;
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return null;
  }

  @Override
  public Transport implementation() {
    return this;
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return NIO.implementation().ioHandlerFactory();
  }

  @Override
  public DatagramChannel datagramChannel() {
    return NIO.implementation().datagramChannel();
  }

  @Override
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return NIO.implementation().datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return NIO.implementation().channelFactory(domainSocket);
  }

  @Override
  public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap server) {
    NIO.implementation().configure(options, domainSocket, server);
    Consumer<Channel> http = onHttp;
    if (http != null && options instanceof HttpServerOptions) {
      ChannelHandler handlers = server.config().childHandler();
      server.childHandler(
          new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
              channel.pipeline().addLast(handlers);
              http.accept(channel);
            }
          });
    }
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return domainSocket
        ? NIO.implementation().serverChannelFactory(true)
        : () -> new Acceptor(failures);
  }

  private static final class Acceptor extends NioServerSocketChannel {
    private final AcceptFailures failures;

    private Acceptor(AcceptFailures failures) {
      this.failures = failures;
    }

    @Override
    protected DefaultChannelPipeline newChannelPipeline() {
      return new DefaultChannelPipeline(this) {
        @Override
        protected void onUnhandledInboundException(Throwable cause) {
          failures.add(cause); // no field is read before the constructor has ended
        }
      };
    }
  }
}
