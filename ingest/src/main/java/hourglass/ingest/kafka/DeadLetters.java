package hourglass.ingest.kafka;

import hourglass.access.DaemonThreads;
import hourglass.ingest.kafka.KafkaMeters.Count;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends rejected records to dead-letter topics, which it creates as needed. A letter that is
 * refused, or has no topic, is logged and counted. After any other failure it is tried again.
 * Thread-safe.
 */
final class DeadLetters implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(DeadLetters.class);
  private static final long BELIEVED_NANOS = 60_000_000_000L;

  /** The largest record, which every broker accepts by default. */
  static final int RECORD_BYTES_MAX = 1_000_000;

  /** The largest request. Brokers check the size of batches, so it needs no setting. */
  static final int REQUEST_BYTES_MAX = 1 << 20;

  private static final int REASON_CHARS_MAX = 2_000;

  /** The limit of our own headers: the reason in UTF-8, and little else. */
  private static final int OWN_HEADERS_BYTES_MAX = 10_000;

  private final KafkaOptions options;
  private final KafkaMeters meters;
  private final Set<String> topics = ConcurrentHashMap.newKeySet();

  /** The topics that cannot be created, with the time of the next check, in nanoseconds. */
  private final Map<String, Long> missingUntil = new ConcurrentHashMap<>();

  /** The thread that sends. Sending may block on a broker, and the poll loop must not. */
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(new DaemonThreads("hourglass-dead-letters"));

  private @Nullable Producer<ByteBuffer, ByteBuffer> producer;

  DeadLetters(KafkaOptions options, KafkaMeters meters) {
    this.options = options;
    this.meters = meters;
  }

  /** Sends a record. Completes when it is sent or given up; fails if it must be tried again. */
  CompletionStage<Void> send(ConsumerRecord<ByteBuffer, ByteBuffer> record, String reason) {
    String topic = options.deadLetters().of(record.topic());
    if (topic == null) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> sent = new CompletableFuture<>();
    try {
      sender.execute(() -> send(topic, record, reason, sent));
    } catch (RuntimeException e) { // closing
      sent.completeExceptionally(e);
    }
    return sent;
  }

  private void send(
      String topic,
      ConsumerRecord<ByteBuffer, ByteBuffer> record,
      String reason,
      CompletableFuture<Void> sent) {
    try {
      if (!isThere(topic)) {
        lost(record, topic, "it is missing and cannot be created");
        sent.complete(null);
        return;
      }
      var unused =
          producer()
              .send(
                  letter(topic, record, reason),
                  (metadata, failure) -> answered(record, topic, failure, sent));
    } catch (RuntimeException e) {
      answered(record, topic, e, sent);
    }
  }

  /**
   * Makes a letter: a record's key, value and headers, with its origin and the reason in headers. A
   * large value is cut, and a header contains its whole length. A key, or headers, of more than
   * half of the limit are left out.
   */
  static ProducerRecord<ByteBuffer, ByteBuffer> letter(
      String topic, ConsumerRecord<ByteBuffer, ByteBuffer> record, String reason) {
    int room = RECORD_BYTES_MAX - OWN_HEADERS_BYTES_MAX;
    int keyBytes = record.key() == null ? 0 : record.key().remaining();
    boolean keepsKey = keyBytes <= room / 2;
    room -= keepsKey ? keyBytes : 0;
    int headersBytes = bytes(record.headers());
    boolean keepsHeaders = headersBytes <= room / 2;
    room -= keepsHeaders ? headersBytes : 0;
    ByteBuffer value = record.value().slice();
    int whole = record.serializedValueSize();
    value.limit(Math.min(value.remaining(), room));
    ProducerRecord<ByteBuffer, ByteBuffer> letter =
        new ProducerRecord<>(topic, null, null, keepsKey ? record.key() : null, value);
    if (keepsHeaders) {
      record.headers().forEach(letter.headers()::add);
    }
    put(letter, "reason", reason.substring(0, Math.min(reason.length(), REASON_CHARS_MAX)));
    put(letter, "topic", record.topic());
    put(letter, "partition", Integer.toString(record.partition()));
    put(letter, "offset", Long.toString(record.offset()));
    put(letter, "time", Instant.ofEpochMilli(Math.max(0, record.timestamp())).toString());
    if (whole > room) {
      put(letter, "cut-from-bytes", Integer.toString(whole));
    }
    return letter;
  }

  private static void put(ProducerRecord<?, ?> letter, String name, String value) {
    letter.headers().add("hourglass." + name, value.getBytes(StandardCharsets.UTF_8));
  }

  private static int bytes(Headers headers) {
    int bytes = 0;
    for (var header : headers) {
      bytes +=
          16 + 3 * header.key().length() + (header.value() == null ? 0 : header.value().length);
    }
    return bytes;
  }

  private void answered(
      ConsumerRecord<ByteBuffer, ByteBuffer> record,
      String topic,
      @Nullable Throwable failure,
      CompletableFuture<Void> sent) {
    if (failure != null && !isFinal(failure)) {
      topics.remove(topic); // the topic may have been deleted
      sent.completeExceptionally(failure);
      return;
    }
    if (failure == null) {
      meters.count(Count.DEAD_LETTERS);
    } else {
      lost(record, topic, failure.toString());
    }
    sent.complete(null);
  }

  /** Returns whether a failure concerns the record or its topic. Any other failure is temporary. */
  private static boolean isFinal(Throwable failure) {
    return !(failure instanceof KafkaException)
        || failure instanceof RecordTooLargeException
        || failure instanceof AuthorizationException
        || failure instanceof InvalidTopicException;
  }

  private void lost(ConsumerRecord<ByteBuffer, ByteBuffer> record, String topic, String why) {
    meters.count(Count.DEAD_LETTERS_LOST);
    logger.error(
        "{}-{}@{} was rejected, and cannot be sent to {}: {}",
        record.topic(),
        record.partition(),
        record.offset(),
        topic,
        why);
  }

  /** Returns the producer. Used by the sender thread alone. */
  private Producer<ByteBuffer, ByteBuffer> producer() {
    Producer<ByteBuffer, ByteBuffer> current = producer;
    if (current == null) {
      current = new KafkaProducer<>(ClientSettings.producer(options));
      producer = current;
    }
    return current;
  }

  /**
   * Creates a missing topic with the broker's defaults, and returns whether it exists. Throws if
   * the broker cannot answer now.
   */
  private boolean isThere(String topic) {
    if (topics.contains(topic)) {
      return true;
    }
    Long until = missingUntil.get(topic);
    if (until != null && System.nanoTime() - until < 0) {
      return false;
    }
    try (Admin admin = Admin.create(ClientSettings.admin(options))) {
      if (!got(admin.listTopics().names()).contains(topic)) {
        got(
            admin
                .createTopics(List.of(new NewTopic(topic, Optional.empty(), Optional.empty())))
                .all());
        logger.info("created the topic {} for rejected records", topic);
      }
    } catch (TopicExistsException e) {
      logger.debug("another process created the topic {}", topic);
    } catch (AuthorizationException
        | PolicyViolationException
        | InvalidTopicException
        | InvalidReplicationFactorException e) {
      logger.warn("the topic {} is missing and cannot be created: {}", topic, e.toString());
      missingUntil.put(topic, System.nanoTime() + BELIEVED_NANOS);
      return false;
    }
    topics.add(topic);
    return true;
  }

  private static <T> T got(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  @Override
  public void close() {
    sender.shutdownNow();
    try {
      if (!sender.awaitTermination(1, TimeUnit.SECONDS)) {
        logger.warn("a dead letter was still being sent");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Producer<ByteBuffer, ByteBuffer> current = producer;
    if (current != null) {
      current.close(Duration.ofSeconds(1));
    }
  }
}
