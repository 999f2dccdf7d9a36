package hourglass.ingest.kafka;

import java.nio.ByteBuffer;
import java.time.Duration;
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
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records that cannot be events to their dead-letter topics, which are made when they are
 * missing. What cannot be sent, for another reason than that no broker answers, is told in the log
 * and by the metrics, and keeps nobody waiting. Thread-safe.
 */
final class DeadLetters implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);
  private static final long TOPIC_SECONDS = 30;

  private final KafkaOptions options;
  private final KafkaMeters meters;
  private final Set<String> topics = ConcurrentHashMap.newKeySet();

  /** Topics that the broker would not make: if they are not there, that is no passing trouble. */
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  /** Sending may wait for a broker, which the poll loop must not. */
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "hourglass-dead-letters");
            thread.setDaemon(true);
            return thread;
          });

  private @Nullable Producer<ByteBuffer, ByteBuffer> producer;

  DeadLetters(KafkaOptions options, KafkaMeters meters) {
    this.options = options;
    this.meters = meters;
  }

  /**
   * Sends a record on.
   *
   * @return completes once it is sent or given up; exceptionally if it is to be tried again
   */
  CompletionStage<Void> send(ConsumerRecord<ByteBuffer, ByteBuffer> record, String reason) {
    String topic = options.deadLetters().of(record.topic());
    if (topic == null) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> sent = new CompletableFuture<>();
    try {
      sender.execute(() -> send(topic, record, reason, sent));
    } catch (RuntimeException e) { // about to close
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
      make(topic);
      var unused =
          producer()
              .send(
                  DeadLetter.of(topic, record, reason),
                  (metadata, failure) -> answered(record, topic, failure, sent));
    } catch (RuntimeException e) {
      answered(record, topic, e, sent);
    }
  }

  private void answered(
      ConsumerRecord<ByteBuffer, ByteBuffer> record,
      String topic,
      @Nullable Throwable failure,
      CompletableFuture<Void> sent) {
    if (failure instanceof RetriableException && !refused.contains(topic)) {
      sent.completeExceptionally(failure);
      return;
    }
    if (failure != null) {
      meters.deadLetterLost();
      log.error(
          "{}-{}@{} cannot be an event, and cannot be sent to {}: {}",
          record.topic(),
          record.partition(),
          record.offset(),
          topic,
          failure.toString());
    } else {
      meters.deadLetter();
    }
    sent.complete(null);
  }

  /** Used by the sender's thread alone. */
  private Producer<ByteBuffer, ByteBuffer> producer() {
    Producer<ByteBuffer, ByteBuffer> current = producer;
    if (current == null) {
      current = new KafkaProducer<>(ClientSettings.producer(options));
      producer = current;
    }
    return current;
  }

  /** Makes a topic as the broker makes topics by default, unless it is there. */
  private void make(String topic) {
    if (topics.contains(topic)) {
      return;
    }
    Map<String, Object> settings = ClientSettings.producer(options);
    try (Admin admin = Admin.create(settings)) {
      admin
          .createTopics(List.of(new NewTopic(topic, Optional.empty(), Optional.empty())))
          .all()
          .get(TOPIC_SECONDS, TimeUnit.SECONDS);
      log.info("made the topic {} for records that cannot be events", topic);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RetriableException retriable) {
        throw retriable;
      }
      if (!(e.getCause() instanceof TopicExistsException)) {
        log.warn("the topic {} is not made: {}", topic, String.valueOf(e.getCause()));
        refused.add(topic);
      }
    } catch (java.util.concurrent.TimeoutException e) {
      throw new org.apache.kafka.common.errors.TimeoutException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new org.apache.kafka.common.errors.InterruptException(e);
    }
    topics.add(topic);
  }

  @Override
  public void close() {
    sender.shutdownNow();
    try {
      if (!sender.awaitTermination(1, TimeUnit.SECONDS)) {
        log.warn("a dead letter was still being sent");
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
