package hourglass.ingest.kafka;

import hourglass.ingest.kafka.KafkaMeters.Count;
import hourglass.ingest.kafka.KafkaMeters.PartitionStatus;
import hourglass.ingest.service.IngestService;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The members of the consumer group in this process. A failed one is restarted. Thread-safe. */
public final class KafkaSource implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(KafkaSource.class);
  private static final long RESTART_MILLIS = 1_000;
  private static final long RESTART_MILLIS_MAX = 30_000;
  private static final long WATCH_MILLIS = 1_000;

  /** The silence after which a broker counts as away. Heartbeats are sent every 3 s. */
  private static final double SILENCE_SECONDS = 10;

  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(1);

  private final KafkaOptions options;
  private final IngestService ingest;
  private final KafkaMeters meters;
  private final MeterRegistry registry;
  private final DeadLetters deadLetters;
  private final List<Member> members = new ArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread watcher;

  private KafkaSource(KafkaOptions options, IngestService ingest, MeterRegistry registry) {
    this.options = options;
    this.ingest = ingest;
    this.registry = registry;
    this.meters = new KafkaMeters(registry);
    this.deadLetters = new DeadLetters(options, meters);
    for (int i = 0; i < options.consumers(); i++) {
      members.add(new Member(i));
    }
    Gauge.builder("hourglass.kafka.troubled", this, source -> source.problem() == null ? 0 : 1)
        .description(
            "1 while a broker does not answer or refuses, a topic is missing, or a consumer"
                + " restarts")
        .register(registry);
    this.watcher = new Thread(this::watch, "hourglass-kafka-lag");
    watcher.setDaemon(true);
  }

  /** Starts to consume as soon as a broker answers. */
  public static KafkaSource start(
      KafkaOptions options, IngestService ingest, MeterRegistry registry) {
    options
        .unknownClientSettings()
        .forEach(key -> logger.warn("kafka.client.{}: unknown to Kafka's consumer", key));
    KafkaSource source = new KafkaSource(options, ingest, registry);
    source.members.forEach(member -> member.thread.start());
    source.watcher.start();
    return source;
  }

  /** Returns the reason why topics are not consumed, for an operator; or null. */
  public @Nullable String problem() {
    String clientProblem = first(Member::problem);
    return clientProblem == null ? first(Member::topicProblem) : clientProblem;
  }

  private @Nullable String first(Function<Member, @Nullable String> of) {
    return members.stream().map(of).filter(Objects::nonNull).findFirst().orElse(null);
  }

  private void watch() {
    String loggedProblem = null;
    String loggedTopicProblem = null;
    try {
      while (!closing.await(WATCH_MILLIS, TimeUnit.MILLISECONDS)) {
        meters.publish(members.stream().flatMap(member -> member.status().stream()).toList());
        String problem = first(Member::problem);
        logChange((loggedProblem == null) != (problem == null), problem, "Kafka answers again");
        loggedProblem = problem;
        String topicProblem = first(Member::topicProblem);
        logChange(
            !Objects.equals(loggedTopicProblem, topicProblem),
            topicProblem,
            "all topics can be consumed");
        loggedTopicProblem = topicProblem;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void logChange(boolean changed, @Nullable String problem, String well) {
    if (changed && problem != null) {
      logger.warn("{}; will try again", problem);
    } else if (changed) {
      logger.info(well);
    }
  }

  /** Waits for flights, commits, and leaves the group. */
  @Override
  public void close() {
    closing.countDown();
    members.forEach(Member::stop);
    try {
      for (Member member : members) {
        member.thread.join();
      }
      watcher.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    deadLetters.close();
  }

  private final class Member {
    private final int number;
    private final Thread thread;
    private volatile @Nullable ConsumerLoop loop;
    private volatile @Nullable String failure;

    private String logged = "";

    Member(int number) {
      this.number = number;
      this.thread = new Thread(this::run, "hourglass-kafka-" + number);
    }

    private void run() {
      long waitMillis = RESTART_MILLIS;
      try {
        do {
          long startNanos = System.nanoTime();
          consume();
          boolean wasWell = System.nanoTime() - startNanos > RESTART_MILLIS_MAX * 1_000_000;
          logged = wasWell ? "" : logged;
          waitMillis = wasWell ? RESTART_MILLIS : Math.min(2 * waitMillis, RESTART_MILLIS_MAX);
        } while (!closing.await(waitMillis, TimeUnit.MILLISECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void consume() {
      try (KafkaConsumer<ByteBuffer, ByteBuffer> consumer =
              new KafkaConsumer<>(ClientSettings.consumer(options, number));
          KafkaClientMetrics clientMetrics = new KafkaClientMetrics(consumer);
          AutoCloseable leaving =
              () -> consumer.close(CloseOptions.timeout(LEAVE_TIMEOUT))) { // the default is 30 s
        clientMetrics.bindTo(registry);
        ConsumerLoop mine = new ConsumerLoop(consumer, options, ingest, deadLetters, meters);
        loop = mine;
        failure = null;
        if (closing.getCount() > 0) {
          mine.run();
        }
      } catch (Exception | StackOverflowError | LinkageError e) {
        String now = "the Kafka consumer failed, and is restarted: " + rootOf(e);
        if (!now.equals(logged)) { // it would repeat each half minute
          logger.error("the Kafka consumer failed, and is restarted", e);
        }
        logged = now;
        failure = now;
        meters.count(Count.RESTARTS);
      } finally {
        loop = null;
      }
    }

    private static Throwable rootOf(Throwable e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      return root;
    }

    void stop() {
      ConsumerLoop current = loop;
      if (current != null) {
        current.stop();
      }
    }

    List<PartitionStatus> status() {
      ConsumerLoop current = loop;
      return current == null ? List.of() : current.status();
    }

    @Nullable String problem() {
      ConsumerLoop current = loop;
      return failure != null || current == null ? failure : brokerProblem(current.consumer);
    }

    /** Returns why the broker seems away, by the metrics of the consumer; or null. */
    private @Nullable String brokerProblem(Consumer<?, ?> consumer) {
      String servers = options.bootstrapServers();
      if (metric(consumer, "connection-count", "consumer-metrics") == 0) {
        return "no Kafka broker answers at " + servers;
      }
      double silence =
          metric(consumer, "last-heartbeat-seconds-ago", "consumer-coordinator-metrics");
      return silence > SILENCE_SECONDS
          ? "the Kafka broker at %s has not answered a heartbeat for %.0f s"
              .formatted(servers, silence)
          : null;
    }

    /** Returns a metric; -1 if it is missing. */
    private static double metric(Consumer<?, ?> consumer, String name, String group) {
      return consumer.metrics().entrySet().stream()
          .filter(of -> of.getKey().name().equals(name) && of.getKey().group().equals(group))
          .map(of -> of.getValue().metricValue())
          .filter(Number.class::isInstance)
          .mapToDouble(value -> ((Number) value).doubleValue())
          .findFirst()
          .orElse(-1);
    }

    @Nullable String topicProblem() {
      ConsumerLoop current = loop;
      return current == null ? null : current.topicProblem();
    }
  }
}
