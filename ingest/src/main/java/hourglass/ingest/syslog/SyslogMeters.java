package hourglass.ingest.syslog;

import hourglass.ingest.syslog.SyslogAddress.Transport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** The metrics of syslog. Thread-safe. */
final class SyslogMeters {
  /** The most sources with a counter of their own, since anybody may send from many addresses. */
  private static final int SOURCES_MAX = 100;

  private static final String OTHERS = "others";

  private final MeterRegistry registry;
  private final Map<Transport, Counter> messages = new EnumMap<>(Transport.class);
  private final Map<Transport, AtomicInteger> connections = new EnumMap<>(Transport.class);
  private final Set<String> sources = ConcurrentHashMap.newKeySet();
  final Counter truncated;
  final Counter retries;

  /** The reasons to refuse a connection, or to drop a datagram. */
  enum Refusal {
    FULL("no room"),
    KEY("no key that may push"),
    LIMIT("above a limit of its sender");

    private final String text;

    Refusal(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }

    private String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  SyslogMeters(MeterRegistry registry, LongSupplier heldBytes) {
    this.registry = registry;
    for (Transport transport : Transport.values()) {
      messages.put(
          transport,
          Counter.builder("hourglass.syslog.messages")
              .description("Stored or rejected messages of syslog")
              .tag("transport", transport.text())
              .register(registry));
    }
    for (Transport transport : Set.of(Transport.TCP, Transport.TLS)) {
      AtomicInteger open = new AtomicInteger();
      connections.put(transport, open);
      Gauge.builder("hourglass.syslog.connections", open, AtomicInteger::get)
          .description("Open connections of syslog")
          .tag("transport", transport.text())
          .register(registry);
    }
    truncated =
        Counter.builder("hourglass.syslog.truncated")
            .description("Messages of syslog that were cut")
            .register(registry);
    retries =
        Counter.builder("hourglass.syslog.retries")
            .description("Failed writes of messages, which are repeated")
            .register(registry);
    Gauge.builder("hourglass.syslog.held.bytes", heldBytes, LongSupplier::getAsLong)
        .description("Memory of messages that are not stored yet")
        .strongReference(true)
        .register(registry);
  }

  void messages(Transport transport, int count) {
    Objects.requireNonNull(messages.get(transport)).increment(count);
  }

  AtomicInteger connections(Transport transport) {
    return Objects.requireNonNull(connections.get(transport));
  }

  void refused(Refusal why) {
    Counter.builder("hourglass.syslog.connections.refused")
        .description("Connections of syslog that were closed at once, by reason")
        .tag("reason", why.label())
        .register(registry)
        .increment();
  }

  void dropped(String source, Refusal why) {
    boolean named = sources.contains(source) || sources.size() < SOURCES_MAX && sources.add(source);
    Counter.builder("hourglass.syslog.dropped")
        .description("Datagrams of syslog that were not kept, by sender and reason")
        .tag("source", named ? source : OTHERS)
        .tag("reason", why.label())
        .register(registry)
        .increment();
  }
}
