package hourglass.config.gate;

import hourglass.access.SharedPlaces;
import hourglass.access.SharedRoom;
import hourglass.http.BodyPause;
import io.netty.channel.Channel;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The connections of a listener, from their accept to their close. Thread-safe. */
public final class HttpConnections implements BodyPause.Sockets {
  private final Map<Ends, ConnectionGate> byEnds = new ConcurrentHashMap<>();
  private final SharedPlaces<ConnectionGate> places;
  private final SharedRoom memory;
  private final int headerBytesMax;
  private final WatchTimes times;
  private volatile boolean isStopping;

  /**
   * The addresses of a connection, which distinguish it from all others that are open. Vert.x shows
   * them with a request, but not the channel.
   */
  private record Ends(@Nullable SocketAddress client, @Nullable SocketAddress server) {
    static Ends of(Channel channel) {
      return new Ends(of(channel.remoteAddress()), of(channel.localAddress()));
    }

    private static @Nullable SocketAddress of(java.net.SocketAddress address) {
      return address instanceof InetSocketAddress inet
          ? SocketAddress.inetSocketAddress(inet)
          : null;
    }
  }

  /**
   * Creates the connections.
   *
   * @param connectionsMax the most connections; above it, the client that holds the most loses one
   * @param memory for bytes of requests that no route has accepted yet
   * @param headerBytesMax the limit of the decoder for a line and for all headers
   */
  public HttpConnections(
      int connectionsMax, SharedRoom memory, int headerBytesMax, Duration idleTimeout) {
    places = new SharedPlaces<>(connectionsMax, System::nanoTime);
    this.memory = memory;
    this.headerBytesMax = headerBytesMax;
    times = WatchTimes.of(idleTimeout);
  }

  /** Adds a connection, on its event loop, after Vert.x has added its first handlers. */
  public void add(Channel channel) {
    if (!channel.isOpen()) {
      return; // its handlers have ended, and nothing would free its place
    }
    String client = ClientAddress.ofPeer(channel.remoteAddress());
    SharedRoom.Account account = memory.open(client);
    ConnectionGate gate =
        new ConnectionGate(channel, account, headerBytesMax, times, () -> isStopping);
    gate.mount();
    Ends ends = Ends.of(channel);
    byEnds.put(ends, gate);
    places.add(client, gate).ifPresent(ConnectionGate::leave);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              account.close();
              byEnds.remove(ends, gate);
              places.remove(gate);
            });
    if (isStopping) {
      gate.leave();
    }
  }

  @Override
  public void setReading(HttpServerRequest request, boolean isReading) {
    HttpConnection connection = request.connection();
    ConnectionGate gate =
        byEnds.get(new Ends(connection.remoteAddress(), connection.localAddress()));
    if (gate == null) {
      return; // the connection has closed
    }
    if (isReading) {
      gate.resumeReading(ConnectionGate.Stop.PAUSED_BODY);
    } else {
      gate.stopReading(ConnectionGate.Stop.PAUSED_BODY);
    }
  }

  /**
   * Closes connections without a request under way, and the others after their answers. From now on
   * no request begins. Safe for any thread.
   */
  public void stop() {
    isStopping = true; // before the connections are listed, so that none is overlooked
    places.all().forEach(ConnectionGate::stop);
  }
}
