package hourglass.ingest.syslog;

import hourglass.access.Client;
import hourglass.access.Failures;
import hourglass.access.LimitExceededException;
import hourglass.access.Refusal;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.decode.StreamBatch;
import hourglass.ingest.service.Verdicts;
import java.util.concurrent.CompletionStage;

/**
 * One batch on its way into the store. Where the store cannot take it now, the write is repeated
 * without an end. A batch that the store refuses for good is halved, down to the messages that it
 * refuses: those are rejected, and hold up no others. One thread at a time runs it.
 */
final class BatchWrite {
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long PAUSE_MILLIS_MAX = 5_000;

  /** In a row, before a batch is halved: a chance failure gets three tries. */
  private static final int REFUSALS = 3;

  private final MessageStore store;
  private final Client client;
  private final Runnable onEnd;
  private StreamBatch batch;
  private long pauseMillis = FIRST_PAUSE_MILLIS;

  /** In a row, of this batch or of one that it was part of. */
  private int refusals;

  /**
   * @param onEnd runs, on any thread, when each message is stored or rejected
   */
  BatchWrite(MessageStore store, StreamBatch batch, Client client, Runnable onEnd) {
    this.store = store;
    this.batch = batch;
    this.client = client;
    this.onEnd = onEnd;
  }

  void run() {
    CompletionStage<Verdicts> stage;
    try {
      stage = store.ingest(batch, client);
    } catch (RuntimeException e) {
      failed(e);
      return;
    }
    var unused =
        stage.whenComplete(
            (verdicts, failure) -> {
              if (failure == null) {
                store.succeeded(batch.size());
                onEnd.run();
              } else {
                failed(Failures.cause(failure));
              }
            });
  }

  private void failed(Throwable failure) {
    store.meters.retries.increment();
    refusals = isForGood(failure) ? refusals + 1 : 0;
    if (refusals >= REFUSALS) {
      refused(failure);
      return;
    }
    long millis = pauseMillis;
    if (failure instanceof LimitExceededException limit) {
      millis = MessageStore.millisOf(limit);
    } else {
      store.failed(failure);
    }
    pauseMillis = Math.min(2 * pauseMillis, PAUSE_MILLIS_MAX);
    store.pause(millis, () -> store.run(this::run));
  }

  /** Not of a store that is full, busy or away, nor of a sender above its limit. */
  private static boolean isForGood(Throwable failure) {
    return !(Refusal.passes(failure) || failure instanceof OutOfMemoryError);
  }

  private void refused(Throwable failure) {
    int size = batch.size();
    if (size == 1) {
      store.rejected(failure);
      batch = batch.refused(Reason.NOT_STORABLE, "not stored: " + failure);
      store.run(this::run);
    } else {
      BatchWrite second = part(size / 2, size, onEnd);
      store.run(part(0, size / 2, () -> store.run(second::run))::run);
    }
  }

  private BatchWrite part(int from, int to, Runnable onPartEnd) {
    BatchWrite part = new BatchWrite(store, batch.part(from, to), client, onPartEnd);
    part.refusals = refusals;
    return part;
  }
}
