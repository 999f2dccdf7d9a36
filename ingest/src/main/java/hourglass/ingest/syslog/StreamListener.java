package hourglass.ingest.syslog;

import hourglass.access.Client;
import hourglass.access.SharedRoom;
import hourglass.ingest.syslog.SyslogMeters.Refusal;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on one port for TCP or TLS. A connection is read as fast as the store accepts its
 * messages. Thread-safe.
 */
final class StreamListener implements SyslogListener {
  private static final Logger logger = LoggerFactory.getLogger(StreamListener.class);

  /**
   * The silence after which a text without an end counts as a message, since some senders write no
   * end.
   */
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** The silence after which a sender that stops inside a message holds memory for nothing. */
  private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long LOOK_MILLIS = 250;

  /** The buffers for chunks. Records of TLS are no larger by themselves. */
  private static final RecvByteBufAllocator CHUNKS =
      new AdaptiveRecvByteBufAllocator(64, 2 << 10, MessageFlow.CHUNK_BYTES_MAX);

  private final SyslogAddress address;
  private final SyslogOptions options;
  private final MessageStore store;
  private final SyslogSenders senders;
  private final SharedRoom places;
  private final Vertx vertx;
  private final NetServer server;
  private final long timer;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean isStopping;

  private StreamListener(
      Vertx vertx,
      SyslogAddress address,
      SyslogOptions options,
      MessageStore store,
      SyslogSenders senders,
      SharedRoom places,
      @Nullable SyslogTls tls) {
    this.vertx = vertx;
    this.address = address;
    this.options = options;
    this.store = store;
    this.senders = senders;
    this.places = places;
    NetServerOptions ofServer =
        new NetServerOptions()
            .setHost(address.host())
            .setPort(address.port())
            .setTcpKeepAlive(true);
    if (tls != null) {
      tls.addTo(ofServer);
    }
    server = vertx.createNetServer(ofServer).connectHandler(this::accept);
    if (tls != null) {
      server.exceptionHandler(tls::failed);
    }
    timer = vertx.setPeriodic(LOOK_MILLIS, id -> connections.forEach(Connection::look));
  }

  /** Listens when this returns. Throws the failure of {@link NetServer#listen}. */
  static StreamListener listen(
      Vertx vertx,
      SyslogAddress address,
      SyslogOptions options,
      MessageStore store,
      SyslogSenders senders,
      SharedRoom places,
      @Nullable SyslogTls tls) {
    StreamListener listener =
        new StreamListener(vertx, address, options, store, senders, places, tls);
    try {
      listener.server.listen().await();
    } catch (Throwable e) {
      vertx.cancelTimer(listener.timer);
      throw e;
    }
    if (tls != null) {
      tls.watch(listener.server);
    }
    return listener;
  }

  @Override
  public SyslogAddress address() {
    return address.withPort(server.actualPort());
  }

  private void accept(NetSocket socket) {
    String from = socket.remoteAddress().hostAddress();
    Object holder = places.holder(senders.address(socket));
    Client client = senders.of(socket);
    if (client == null || isStopping) {
      refuse(socket, Refusal.KEY);
    } else if (!places.take(holder, 1)) {
      refuse(socket, Refusal.FULL);
    } else {
      Connection connection = new Connection(socket, from, holder, client);
      if (connection.flow.begin()) {
        connections.add(connection);
        connection.begin();
      } else {
        refuse(socket, Refusal.FULL);
        connection.flow.end();
      }
    }
  }

  private void refuse(NetSocket socket, Refusal why) {
    store.meters.refused(why);
    logger.debug("{}: {} is refused: {}", address, socket.remoteAddress(), why);
    socket.close();
  }

  /** Closes the connections. The bytes that were read from them are stored. */
  @Override
  public void stop() {
    isStopping = true;
    vertx.cancelTimer(timer);
    server.close();
    connections.forEach(Connection::cut);
  }

  @Override
  public boolean isStored() {
    return connections.isEmpty();
  }

  private final class Connection {
    private final NetSocket socket;
    private final ChannelConfig channel;
    private final String from;
    private final Object holder;
    private final MessageFlow flow;
    private volatile long readNanos = System.nanoTime();
    private volatile boolean isPaused;
    private volatile boolean isCut;

    /**
     * The context of the socket. Its tasks run in order, so a pause for lack of room begins before
     * it ends.
     */
    private final Context context = vertx.getOrCreateContext();

    private Connection(NetSocket socket, String from, Object holder, Client client) {
      this.socket = socket;
      this.channel = ((NetSocketInternal) socket).channelHandlerContext().channel().config();
      this.from = from;
      this.holder = holder;
      this.flow = new MessageFlow(store, address.transport(), client, this::resume, this::stored);
    }

    private void begin() {
      channel.setRecvByteBufAllocator(CHUNKS);
      store.meters.connections(address.transport()).incrementAndGet();
      socket.exceptionHandler(failure -> logger.debug("{}: {}", from, failure.toString()));
      socket.endHandler(ended -> ended());
      socket.handler(this::read);
    }

    private void read(Buffer buffer) {
      readNanos = System.nanoTime();
      Client client = flow.client();
      if (!client.isCurrent().getAsBoolean()) {
        Client now = senders.of(socket);
        if (now == null) {
          refuse(socket, Refusal.KEY);
          return;
        }
        flow.setClient(now);
      }
      if (!flow.add(ByteBuffer.wrap(buffer.getBytes())) && !isCut) {
        isPaused = true;
        socket.pause();
        channel.setAutoRead(false); // Vert.x would read 16 chunks more before it stops
      }
    }

    private void resume() {
      context.runOnContext(
          nothing -> {
            readNanos = System.nanoTime();
            isPaused = false;
            channel.setAutoRead(true);
            socket.resume();
          });
    }

    private void look() {
      flow.retryRoom();
      boolean mayRead = !isPaused; // asked first: a pause ends behind a new readNanos
      long quiet = System.nanoTime() - readNanos;
      if (mayRead && quiet >= QUIET_NANOS) {
        flow.quiet();
      }
      boolean isStuck = quiet >= STUCK_NANOS && flow.isStuck(mayRead);
      if (isStuck || mayRead && quiet >= options.idleTimeout().toNanos()) {
        logger.debug("{}: {} is closed after {} ns of silence", address, from, quiet);
        cut();
      }
    }

    /** Ends the connection after the bytes that were read from it. */
    private void cut() {
      isCut = true;
      socket.close();
      resume();
    }

    private void ended() {
      store.meters.connections(address.transport()).decrementAndGet();
      flow.end();
    }

    private void stored() {
      places.release(holder, 1);
      connections.remove(this);
    }
  }
}
