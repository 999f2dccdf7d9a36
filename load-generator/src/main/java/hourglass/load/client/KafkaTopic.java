package hourglass.load.client;

import hourglass.load.command.Limits;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.ProgressLine;
import hourglass.load.event.Lines;
import java.time.Duration;
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
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
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
 * A topic that takes each event as a record. An answer says that brokers have it; it is stored once
 * the group that Hourglass consumes with has committed it, which it does after the store.
 */
public final class KafkaTopic implements Destination, AutoCloseable {
  private static final int BATCH_BYTES = 256 << 10;
  private static final long POLL_MILLIS = 200;

  private final KafkaUrl url;
  private final String group;
  private final Duration patience;
  private final Producer<byte[], byte[]> producer;

  /**
   * @param group its committed offsets mark the stored records
   * @param patience how long a record may take to the brokers, and the group to get on
   */
  KafkaTopic(KafkaUrl url, String group, String compression, Duration patience) {
    this.url = url;
    this.group = group;
    this.patience = patience;
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, url.bootstrapServers());
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, "hourglass-load");
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    // Brokers store a record once, however often the producer sends it.
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    settings.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Limits.BATCH_BYTES_MAX);
    int millis = Math.toIntExact(Math.max(1_000, Math.min(patience.toMillis(), 1 << 30)));
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.min(millis, 30_000));
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis + 1_000);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Makes the topic, as the broker makes topics by default, unless it is there.
   *
   * @throws LoadFailure when no broker answers
   */
  public void make(ProgressLine progress) throws InterruptedException {
    try (Admin admin = admin()) {
      if (!got(admin.listTopics().names()).contains(url.topic())) {
        got(
            admin
                .createTopics(Set.of(new NewTopic(url.topic(), Optional.empty(), Optional.empty())))
                .all());
        progress.say("made the topic " + url.topic());
      }
    }
  }

  private Admin admin() {
    try {
      return Admin.create(
          Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, url.bootstrapServers()));
    } catch (KafkaException e) { // such as a name that resolves to nothing today
      throw new LoadFailure("%s: %s".formatted(url.bootstrapServers(), cause(e)), e);
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
        int end = Lines.indexOfBreak(lines, from, lines.length);
        byte[] value = java.util.Arrays.copyOfRange(lines, from, end);
        var unused =
            producer.send(
                new ProducerRecord<>(url.topic(), value),
                (metadata, problem) -> {
                  failure.compareAndSet(null, problem);
                  answers.release();
                });
        sent++;
        from = end + 1;
      }
      answers.acquire(sent);
    } catch (KafkaException e) {
      return new PushAnswer.Ambiguous("not taken by Kafka", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new PushAnswer.Ambiguous("interrupted", "");
    }
    Exception problem = failure.get();
    return problem == null
        ? new PushAnswer.Verdict(batch.events(), 0, 0, new int[0], "")
        : new PushAnswer.Ambiguous("not taken by Kafka", problem.toString());
  }

  @Override
  public void awaitStored(ProgressLine progress) throws InterruptedException {
    try (Admin admin = admin()) {
      Map<TopicPartition, Long> ends = ends(admin);
      AtomicLong behind = new AtomicLong(Long.MAX_VALUE);
      try (ProgressLine.Watch watch = progress.watch(() -> told(behind.get()))) {
        awaitCommitted(admin, ends, behind);
      }
    }
  }

  private String told(long behind) {
    return behind == Long.MAX_VALUE
        ? "waiting for the group " + group
        : "%,d records not stored yet by the group %s".formatted(behind, group);
  }

  private void awaitCommitted(Admin admin, Map<TopicPartition, Long> ends, AtomicLong behind)
      throws InterruptedException {
    long progressNanos = System.nanoTime();
    while (true) {
      long now = behind(admin, ends);
      if (now == 0) {
        return;
      }
      if (now < behind.get()) {
        progressNanos = System.nanoTime();
      }
      behind.set(now);
      if (System.nanoTime() - progressNanos > patience.toNanos()) {
        throw new LoadFailure(
            "the group %s has not stored a record of %s for %d s, with %,d to go; is a server consuming it?"
                .formatted(group, url.topic(), patience.toSeconds(), now));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private Map<TopicPartition, Long> ends(Admin admin) throws InterruptedException {
    TopicDescription described =
        Objects.requireNonNull(
            got(admin.describeTopics(Set.of(url.topic())).allTopicNames()).get(url.topic()));
    Map<TopicPartition, OffsetSpec> wanted =
        described.partitions().stream()
            .collect(
                Collectors.toMap(
                    one -> new TopicPartition(url.topic(), one.partition()),
                    one -> OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end :
        got(admin.listOffsets(wanted).all()).entrySet()) {
      ends.put(end.getKey(), end.getValue().offset());
    }
    return ends;
  }

  private long behind(Admin admin, Map<TopicPartition, Long> ends) throws InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> committed;
    try {
      committed = got(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    } catch (LoadFailure notNow) {
      return Long.MAX_VALUE - 1; // a broker that is away, or a group that has yet to begin
    }
    long behind = 0;
    for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
      OffsetAndMetadata offset = committed.get(end.getKey());
      behind += Math.max(0, end.getValue() - (offset == null ? 0 : offset.offset()));
    }
    return behind;
  }

  private <T> T got(Future<T> future) throws InterruptedException {
    try {
      return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new LoadFailure(
          "%s at %s: %s".formatted(url.topic(), url.bootstrapServers(), cause(e)), e);
    }
  }

  private static String cause(Exception e) {
    return e.getCause() == null ? e.toString() : e.getCause().toString();
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(2));
  }
}
