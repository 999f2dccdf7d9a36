package hourglass.load.send;

import hourglass.command.FigureText;
import hourglass.load.client.Backoff;
import hourglass.load.client.Batch;
import hourglass.load.client.Destination;
import hourglass.load.client.PushAnswer;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadLimits;
import hourglass.load.command.Nanos;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches over several connections, each with a thread and one request at a time. For one
 * run.
 */
record Sender(Destination destination, SendSettings settings, Nanos nanos, Tally tally) {
  /**
   * Sends all batches. Returns after the last answer.
   *
   * @throws LoadFailure if the source cannot be read
   */
  void run(BatchSource source) throws InterruptedException {
    int ahead = settings.connections() * LoadLimits.AHEAD_PER_CONNECTION;
    try (AheadFeed feed = new AheadFeed(source, ahead)) {
      tally.signal.onStop(feed::wake);
      Pacer pacer = new Pacer(nanos, nanos.now(), settings.ratePerSecond());
      List<Thread> lanes = new ArrayList<>();
      for (int i = 0; i < settings.connections(); i++) {
        int first = i;
        Thread lane = new Thread(() -> drive(feed, pacer, first), "load-" + i);
        lane.setDaemon(true);
        lane.start();
        lanes.add(lane);
      }
      for (Thread lane : lanes) {
        lane.join();
      }
      Throwable failure = feed.failure;
      if (failure != null) {
        throw new LoadFailure(
            FigureText.format(
                "%s; of the events before, %,d were accepted",
                failure.getMessage(), tally.events.accepted.sum()),
            failure);
      }
    }
  }

  /**
   * Sends batches over one connection.
   *
   * @param first the turn of this connection's first target
   */
  private void drive(AheadFeed feed, Pacer pacer, int first) {
    int turn = first;
    try {
      Batch batch = feed.take();
      while (batch != null && tally.signal.reason() == null) {
        long due = pacer.dueNanos(batch.firstEvent());
        if (!tally.signal.stopsWithin(due - nanos.now())) {
          turn = deliver(batch, due, turn);
          batch = feed.take();
        }
      }
    } catch (InterruptedException e) {
      tally.signal.stop("interrupted");
    } catch (RuntimeException e) {
      tally.signal.stop("BUG: " + e);
    }
  }

  /**
   * Delivers a batch. Returns the turn of the target that accepted it, or of the one to try next.
   */
  private int deliver(Batch batch, long dueNanos, int firstTurn) throws InterruptedException {
    long giveUpNanos = nanos.now() + settings.giveUpAfter().toNanos();
    boolean unsure = false;
    for (int attempt = 0; ; attempt++) {
      long sentNanos = nanos.now();
      tally.traffic.requests.increment();
      PushAnswer answer =
          destination.push(batch, settings.query(batch), settings.key(batch), firstTurn + attempt);
      long doneNanos = nanos.now();
      if (answer instanceof PushAnswer.Verdict verdict) {
        tally.verdict(batch, verdict);
        tally.latencies.record(dueNanos, sentNanos, doneNanos, verdict.accepted());
        return firstTurn + attempt;
      }
      PushAnswer.Failure failure = (PushAnswer.Failure) answer;
      tally.failed(failure);
      unsure |= failure.unsure();
      long waitMillis = Backoff.millis(attempt, failure.retryAfterMillis());
      boolean again = failure.mayRetry(() -> settings.repeats().isSafe(batch));
      if (!again || doneNanos + waitMillis * 1_000_000 > giveUpNanos) {
        tally.giveUp(batch, unsure, failure);
        if (again) {
          tally.signal.stop(
              "gave up after %d s: %s".formatted(settings.giveUpAfter().toSeconds(), failure));
        } else if (failure.isFinal()) {
          tally.signal.stop(failure.toString());
        }
        return firstTurn + attempt + 1;
      }
      tally.retries.add(failure.kind(), 1);
      if (tally.signal.stopsWithin(waitMillis * 1_000_000)) {
        tally.giveUp(batch, unsure, failure);
        return firstTurn + attempt + 1;
      }
    }
  }

  /**
   * A bounded queue of batches, which a separate thread builds ahead. {@link #take} is thread-safe.
   */
  private static final class AheadFeed implements AutoCloseable {
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
        source.forEach(this::put);
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      put(END);
    }

    /** Queues a batch. Returns false once this is closed. */
    private boolean put(Batch batch) {
      try {
        queue.put(batch);
        return true;
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    /** Returns the next batch, or null after the last one. */
    @Nullable Batch take() throws InterruptedException {
      Batch batch = queue.take();
      if (batch.index() == END.index()) {
        wake();
        return null;
      }
      return batch;
    }

    /** Ends a wait for a slow source. If the queue is full, nobody waits. */
    void wake() {
      queue.offer(END);
    }

    @Override
    public void close() {
      producer.interrupt();
    }
  }
}
