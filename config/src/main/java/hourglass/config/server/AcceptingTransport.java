package hourglass.config.server;

import io.netty.channel.ChannelFactory;
import io.netty.channel.DefaultChannelPipeline;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.spi.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Creates the same JDK sockets that Vert.x uses by default, but reports failures to accept to
 * {@link AcceptFailures}. Netty itself would log a text about its pipeline for each failure.
 */
record AcceptingTransport(AcceptFailures failures) implements io.vertx.core.transport.Transport {
  @Override
  public String name() {
    return "nio";
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
    return new NioTransport() {
      @Override
      public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return domainSocket ? super.serverChannelFactory(true) : () -> new Acceptor(failures);
      }
    };
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
