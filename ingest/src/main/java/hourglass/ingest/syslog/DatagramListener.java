package hourglass.ingest.syslog;

import hourglass.access.Client;
import hourglass.access.LimitExceededException;
import hourglass.ingest.syslog.SyslogAddress.Transport;
import hourglass.ingest.syslog.SyslogMeters.Refusal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on one port for UDP, with a thread of its own. Datagrams without room are counted and
 * dropped. Thread-safe.
 *
 * <p>It uses a thread of the JDK, because Vert.x reads one datagram a turn into a buffer as large
 * as that of the socket.
 */
final class DatagramListener implements SyslogListener {
  private static final Logger logger = LoggerFactory.getLogger(DatagramListener.class);

  /**
   * The buffer for datagrams that arrive while the thread waits for a processor. Linux gives
   * net.core.rmem_max at most.
   */
  private static final int RECEIVE_BYTES = 8 << 20;

  private static final int DATAGRAM_BYTES_MAX = 65_535;

  private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final SyslogAddress address;
  private final MessageStore store;
  private final SyslogSenders senders;
  private final DatagramChannel channel;
  private final MessageFlow flow;
  private final CountDownLatch stored = new CountDownLatch(1);
  private final Thread thread;

  // The reading thread alone uses both.
  private long dropped;
  private @Nullable Long warnedNanos;

  private DatagramListener(
      DatagramChannel channel, SyslogAddress address, MessageStore store, SyslogSenders senders) {
    this.channel = channel;
    this.address = address;
    this.store = store;
    this.senders = senders;
    Client unknown = Client.open(address.toString());
    this.flow = new MessageFlow(store, Transport.UDP, unknown, () -> {}, stored::countDown);
    this.thread = new Thread(this::read, "hourglass-syslog-" + address.port());
    thread.setDaemon(true);
  }

  static DatagramListener listen(SyslogAddress address, MessageStore store, SyslogSenders senders)
      throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BYTES);
      channel.bind(new InetSocketAddress(address.host(), address.port()));
      int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
      DatagramListener listener =
          new DatagramListener(channel, address.withPort(port), store, senders);
      listener.thread.start();
      return listener;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public SyslogAddress address() {
    return address;
  }

  private void read() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(DATAGRAM_BYTES_MAX);
    try {
      while (channel.isOpen()) {
        receive(buffer);
      }
    } finally {
      flow.end();
    }
  }

  private void receive(ByteBuffer buffer) {
    try {
      buffer.clear();
      InetSocketAddress from = (InetSocketAddress) channel.receive(buffer);
      buffer.flip();
      if (from != null && buffer.hasRemaining()) {
        take(from, buffer);
      }
    } catch (ClosedChannelException e) {
      logger.debug("{} is closed", address);
    } catch (IOException | RuntimeException e) { // of one datagram
      logger.warn("{}: a datagram could not be read: {}", address, e.toString());
    }
  }

  private void take(InetSocketAddress from, ByteBuffer datagram) {
    String source = from.getAddress().getHostAddress();
    Client client = senders.of(source);
    if (client == null) {
      drop(source, Refusal.KEY);
      return;
    }
    try {
      client.quota().takeBytes(datagram.remaining());
      client.quota().takeEvents(1);
    } catch (LimitExceededException e) {
      drop(source, Refusal.LIMIT);
      return;
    }
    if (!client.types().equals(flow.client().types())) {
      // The client's limits apply to each datagram, not to the datagrams of many senders together.
      flow.setClient(client.withoutLimits());
    }
    byte[] message = new byte[Integer.BYTES + datagram.remaining()];
    ByteBuffer chunk = ByteBuffer.wrap(message);
    chunk.putInt(datagram.remaining()).put(datagram).flip();
    if (!flow.tryAdd(chunk)) {
      drop(source, Refusal.FULL);
    }
  }

  private void drop(String source, Refusal why) {
    store.meters.dropped(source, why);
    dropped++;
    long now = System.nanoTime();
    if (warnedNanos == null || now - warnedNanos >= WARN_NANOS) {
      warnedNanos = now;
      logger.warn(
          "{}: {} datagrams dropped so far, the last one from {}: {};"
              + " hourglass_syslog_dropped_total counts them by sender",
          address,
          dropped,
          source,
          why.text());
    }
  }

  @Override
  public void stop() {
    try {
      channel.close();
    } catch (IOException e) {
      logger.warn("{} did not close: {}", address, e.toString());
    }
  }

  @Override
  public boolean isStored() {
    return stored.getCount() == 0;
  }
}
