package hourglass.ingest.syslog;

import hourglass.access.SharedRoom;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.syslog.SyslogAddress.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for syslog. It reads TCP no faster than the store accepts messages, so none is lost while
 * the process lives, and those that the store refuses for good are rejected. It drops and counts
 * datagrams of UDP for which there is no room. Thread-safe.
 */
public final class SyslogServer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(SyslogServer.class);

  /** The time for messages that were read but are not stored when the process ends. */
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  private static final long LOOK_MILLIS = 10;

  private final List<SyslogListener> listeners = new ArrayList<>();
  private final Vertx vertx;
  private final SyslogOptions options;
  private final SyslogSenders senders;
  private final MessageStore store;
  private final SharedRoom places;
  private final @Nullable SyslogTls tls;

  // The lock of this object guards both.
  private boolean isStopped;
  private long stoppedNanos;

  /**
   * Starts to listen, and returns when it listens.
   *
   * @param workers threads for framing, parsing and decoding
   * @param clock the clock to which the year of a time without one is nearest
   * @param tls null where no address needs it
   * @throws IOException if an address cannot be bound; the message names it
   */
  public static SyslogServer start(
      Vertx vertx,
      SyslogOptions options,
      IngestService ingest,
      Executor workers,
      Clock clock,
      SyslogSenders senders,
      @Nullable SyslogTls tls,
      MeterRegistry meters)
      throws IOException {
    SyslogServer server =
        new SyslogServer(vertx, options, ingest, workers, clock, senders, tls, meters);
    for (SyslogAddress address : options.listen()) {
      try {
        SyslogListener listener = server.listen(address);
        server.listeners.add(listener);
        logger.info("syslog {}", listener.address());
      } catch (Exception e) { // also a BindException of Vert.x, undeclared
        server.close();
        throw new IOException(address + ": " + e.getMessage(), e);
      }
    }
    return server;
  }

  private SyslogServer(
      Vertx vertx,
      SyslogOptions options,
      IngestService ingest,
      Executor workers,
      Clock clock,
      SyslogSenders senders,
      @Nullable SyslogTls tls,
      MeterRegistry meters) {
    this.vertx = vertx;
    this.options = options;
    this.senders = senders;
    this.tls = tls;
    BareTags bareTags = new BareTags();
    int eventBytesMax = ingest.options().maxEventBytes();
    store =
        new MessageStore(
            ingest,
            workers,
            (millis, task) -> vertx.setTimer(millis, id -> task.run()),
            clock,
            () -> new MessageParser(options.zone(), eventBytesMax, bareTags),
            meters);
    places = new SharedRoom(options.connectionsMax());
  }

  private SyslogListener listen(SyslogAddress address) throws IOException {
    if (address.transport() == Transport.UDP) {
      return DatagramListener.listen(address, store, senders);
    }
    SyslogTls ofAddress = address.transport() == Transport.TLS ? Objects.requireNonNull(tls) : null;
    return StreamListener.listen(vertx, address, options, store, senders, places, ofAddress);
  }

  /** Returns the addresses with the ports that are bound, in the order of the options. */
  public List<SyslogAddress> addresses() {
    return listeners.stream().map(SyslogListener::address).toList();
  }

  /** Returns the messages that {@link #close} would lose now. */
  MessageStore.Pending pending() {
    return store.pending();
  }

  /** Stops reading, and returns at once; {@link #close} waits. */
  public synchronized void stop() {
    if (!isStopped) {
      isStopped = true;
      stoppedNanos = System.nanoTime();
      listeners.forEach(SyslogListener::stop);
      store.end();
    }
  }

  /**
   * Stores all messages that were read, if the store accepts them within seconds of {@link #stop}.
   */
  @Override
  public synchronized void close() {
    stop();
    try {
      while (!listeners.stream().allMatch(SyslogListener::isStored)) {
        if (System.nanoTime() - stoppedNanos >= PATIENCE.toNanos()) {
          MessageStore.Pending lost = pending();
          logger.warn(
              "syslog: {} messages, and {} bytes that were not divided into messages yet, were read"
                  + " and are lost unless their write is only unanswered: the store did not take"
                  + " them within {} s",
              lost.messages(),
              lost.bytes(),
              PATIENCE.toSeconds());
          return;
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
