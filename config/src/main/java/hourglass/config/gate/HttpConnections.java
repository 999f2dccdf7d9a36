package hourglass.config.gate;

import hourglass.access.SharedPlaces;
import hourglass.access.SharedRoom;
import io.netty.channel.Channel;
import java.time.Duration;

/** The connections of a listener, from their accept to their close. Thread-safe. */
public final class HttpConnections {
  private final SharedPlaces<ConnectionGate> places;
  private final SharedRoom memory;
  private final int headerBytesMax;
  private final WatchTimes times;

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
    String client = ClientAddress.ofPeer(channel.remoteAddress());
    SharedRoom.Account account = memory.open(client);
    ConnectionGate gate = new ConnectionGate(channel, account, headerBytesMax, times);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              account.close();
              places.remove(gate);
            });
    gate.mount();
    places.add(client, gate).ifPresent(ConnectionGate::leave);
  }
}
