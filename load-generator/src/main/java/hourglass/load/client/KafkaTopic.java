package hourglass.load.client;

import hourglass.bytes.LineBreaks;
import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadLimits;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A topic that receives each event as a record. An answer means that the brokers have it. The event
 * is stored once Hourglass has committed its offset.
 */
final class KafkaTopic implements Destination {
  private static final int BATCH_BYTES = 256 << 10;
  private static final long POLL_MILLIS = 200;
  private static final int REQUEST_MILLIS_MAX = 30_000;

  /**
   * A number that exceeds the records of any topic. It means that the brokers do not answer, or
   * that the group has not begun yet.
   */
  private static final long UNKNOWN = Long.MAX_VALUE;

  private final String servers;
  private final String topic;
  private final String group;
  private final Duration patience;
  private final int patienceMillis;
  private final Producer<byte[], byte[]> producer;

  /**
   * Creates a producer for the topic.
   *
   * @param url {@code kafka://HOST:PORT/TOPIC}
   * @param group the group whose committed offsets mark the stored records
   * @param patience how long a record may take to reach the brokers, and how long the group may
   *     make no progress
   */
  KafkaTopic(URI url, String group, String compression, Duration patience) {
    this.servers = url.getHost() + ":" + url.getPort();
    this.topic = url.getPath().substring(1);
    this.group = group;
    this.patience = patience;
    this.patienceMillis = Math.toIntExact(Math.max(1_000, Math.min(patience.toMillis(), 1 << 30)));
    // With idempotence, brokers store a record once, however often the producer sends it.
    Map<String, Object> settings =
        Map.ofEntries(
            Map.entry(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers),
            Map.entry(ProducerConfig.CLIENT_ID_CONFIG, "hourglass-load"),
            Map.entry(ProducerConfig.ACKS_CONFIG, "all"),
            Map.entry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true),
            Map.entry(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES),
            Map.entry(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression),
            Map.entry(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LoadLimits.BATCH_BYTES_MAX),
            Map.entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, patienceMillis),
            Map.entry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, requestMillis()),
            Map.entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, patienceMillis + 1_000),
            Map.entry(ProducerConfig.LINGER_MS_CONFIG, 0));
    producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  static boolean isNamed(URI url) {
    return "kafka".equals(url.getScheme());
  }

  static boolean isWhole(URI url) {
    return url.getHost() != null
        && url.getPort() > 0
        && url.getPath() != null
        && url.getPath().matches("/[a-zA-Z0-9._-]{1,249}");
  }

  /** Creates the topic with the broker's defaults, unless it exists. */
  @Override
  public void prepare(ProgressLine progress) throws InterruptedException {
    try (Admin admin = admin()) {
      if (!await(admin.listTopics().names()).contains(topic)) {
        NewTopic wanted = new NewTopic(topic, Optional.empty(), Optional.empty());
        await(admin.createTopics(Set.of(wanted)).all());
        progress.say("made the topic " + topic);
      }
    }
  }

  private int requestMillis() {
    return Math.min(patienceMillis, REQUEST_MILLIS_MAX);
  }

  /**
   * Creates an admin client that is as patient as the producer, because brokers may be unavailable
   * for a while between the two.
   */
  private Admin admin() {
    try {
      return Admin.create(
          Map.of(
              AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
              servers,
              AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
              requestMillis(),
              AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
              patienceMillis));
    } catch (KafkaException e) { // the name of a broker may not resolve
      throw new LoadFailure("%s: %s".formatted(servers, cause(e)), e);
    }
  }

  @Override
  public PushAnswer push(Batch batch, String query, @Nullable String idempotencyKey, int turn) {
    Semaphore answers = new Semaphore(0);
    int sent = 0;
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    byte[] lines = batch.lines().getBytes();
    int from = 0;
    try {
      while (from < lines.length && failure.get() == null) {
        int end = LineBreaks.lineFeed(lines, from, lines.length);
        byte[] value = Arrays.copyOfRange(lines, from, end);
        var unused =
            producer.send(
                new ProducerRecord<>(topic, value),
                (metadata, problem) -> {
                  failure.compareAndSet(null, problem);
                  answers.release();
                });
        sent++;
        from = end + 1;
      }
      answers.acquire(sent);
    } catch (KafkaException e) {
      failure.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return PushAnswer.Failure.ambiguous("interrupted", "");
    }
    Exception problem = failure.get();
    return problem == null
        ? PushAnswer.Verdict.all(batch.events())
        : PushAnswer.Failure.ambiguous("not taken by Kafka", problem.toString());
  }

  @Override
  public void awaitStored(ProgressLine progress) throws InterruptedException {
    AtomicLong behind = new AtomicLong(UNKNOWN);
    try (Admin admin = admin()) {
      Map<TopicPartition, Long> ends = ends(admin);
      try (ProgressLine.Watch watch = progress.watch(() -> line(behind.get()))) {
        awaitCommitted(admin, ends, behind);
      }
    }
  }

  private String line(long behind) {
    return behind == UNKNOWN
        ? "waiting for the group " + group
        : FigureText.format("%,d records not stored yet by the group %s", behind, group);
  }

  private void awaitCommitted(Admin admin, Map<TopicPartition, Long> ends, AtomicLong behind)
      throws InterruptedException {
    long progressNanos = System.nanoTime();
    for (long now = behind(admin, ends); now > 0; now = behind(admin, ends)) {
      if (now < behind.get()) {
        behind.set(now);
        progressNanos = System.nanoTime();
      }
      if (System.nanoTime() - progressNanos > patience.toNanos()) {
        throw new LoadFailure(
            "the group %s has not stored a record of %s for %d s, %s; is a server consuming it?"
                .formatted(group, topic, patience.toSeconds(), toGo(behind.get())));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private static String toGo(long behind) {
    return behind == UNKNOWN
        ? "and the brokers do not say how many are left"
        : FigureText.format("with %,d to go", behind);
  }

  private Map<TopicPartition, Long> ends(Admin admin) throws InterruptedException {
    TopicDescription described =
        Objects.requireNonNull(
            await(admin.describeTopics(Set.of(topic)).allTopicNames()).get(topic));
    Map<TopicPartition, OffsetSpec> latest =
        described.partitions().stream()
            .map(each -> new TopicPartition(topic, each.partition()))
            .collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    await(admin.listOffsets(latest).all())
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }

  private long behind(Admin admin, Map<TopicPartition, Long> ends) throws InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> committed;
    try {
      committed = await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    } catch (LoadFailure notNow) {
      return UNKNOWN;
    }
    long behind = 0;
    for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
      OffsetAndMetadata offset = committed.get(end.getKey());
      behind += Math.max(0, end.getValue() - (offset == null ? 0 : offset.offset()));
    }
    return behind;
  }

  private <T> T await(Future<T> future) throws InterruptedException {
    try {
      return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new LoadFailure("%s at %s: %s".formatted(topic, servers, cause(e)), e);
    }
  }

  private static String cause(Exception e) {
    return Objects.requireNonNullElse(e.getCause(), e).toString();
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(2));
  }
}
