package hourglass.ingest.kafka;

import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

/** Derives from a consumer's metrics whether brokers answer it. Thread-safe. */
final class BrokerWatch {
  /** Heartbeats are sent every 3 s. */
  private static final double SILENCE_SECONDS = 10;

  private final Consumer<?, ?> consumer;
  private final String bootstrapServers;

  BrokerWatch(Consumer<?, ?> consumer, String bootstrapServers) {
    this.consumer = consumer;
    this.bootstrapServers = bootstrapServers;
  }

  /** The problem for an operator, or null. */
  @Nullable String problem() {
    if (value("connection-count", "consumer-metrics") == 0) {
      return "no Kafka broker answers at " + bootstrapServers;
    }
    double heartbeat = value("last-heartbeat-seconds-ago", "consumer-coordinator-metrics");
    if (heartbeat > SILENCE_SECONDS) {
      return "the Kafka broker at %s has not answered a heartbeat for %.0f s"
          .formatted(bootstrapServers, heartbeat);
    }
    return null;
  }

  private double value(String name, String group) {
    return value(named -> named.name().equals(name) && named.group().equals(group));
  }

  /** The value of a metric; -1 if it is missing. */
  private double value(Predicate<MetricName> wanted) {
    for (Map.Entry<MetricName, ? extends Metric> entry : consumer.metrics().entrySet()) {
      if (wanted.test(entry.getKey()) && entry.getValue().metricValue() instanceof Number number) {
        return number.doubleValue();
      }
    }
    return -1;
  }
}
