package hourglass.load.send;

import hourglass.load.client.Batch;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** A bounded queue of batches, built ahead by a thread of its own. {@link #take} is thread-safe. */
final class AheadFeed implements AutoCloseable {
  private static final Batch END = Batch.plain(-1, 0, 1, Buffer.buffer());

  private final BlockingQueue<Batch> queue;
  private final Thread producer;

  /** The failure that ended the source early, or null. */
  volatile @Nullable Throwable failure;

  AheadFeed(BatchSource source, int batchesAhead) {
    queue = new ArrayBlockingQueue<>(batchesAhead);
    producer = new Thread(() -> produce(source), "load-producer");
    producer.setDaemon(true);
    producer.start();
  }

  private void produce(BatchSource source) {
    try {
      try (BatchSource.Reader reader = source.open()) {
        for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
          queue.put(batch);
        }
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      queue.put(END);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Null after the last batch. */
  @Nullable Batch take() throws InterruptedException {
    Batch batch = queue.take();
    if (batch.index() == END.index()) {
      queue.put(END);
      return null;
    }
    return batch;
  }

  @Override
  public void close() {
    producer.interrupt();
  }
}
