package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.client.PushAnswer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The outcomes of a run. Thread-safe. */
public final class Tally {
  private static final long LATENCY_MICROS_MAX = TimeUnit.HOURS.toMicros(1);

  public final BatchOutcomes outcomes = new BatchOutcomes();
  final LongAdder accepted = new LongAdder();

  /** Events with a verdict "not an event". */
  public final LongAdder rejected = new LongAdder();

  /** Events that got the time of receipt. */
  final LongAdder untimed = new LongAdder();

  final LongAdder unknown = new LongAdder();

  /** Events given up, surely not stored. */
  final LongAdder givenUp = new LongAdder();

  final LongAdder requests = new LongAdder();

  /** Unpacked events of requests with a verdict. */
  final LongAdder bytes = new LongAdder();

  /** Their bodies on the wire. */
  final LongAdder wireBytes = new LongAdder();

  public final Counts errors = new Counts();
  final Counts retries = new Counts();
  final Counts rejectReasons = new Counts();

  /** From the intended time of sending to the verdict. */
  public final Histogram latencyMicros = new ConcurrentHistogram(LATENCY_MICROS_MAX, 3);

  /** From the last attempt to the verdict. */
  final Histogram serviceMicros = new ConcurrentHistogram(LATENCY_MICROS_MAX, 3);

  final Timeline timeline;

  private final AtomicReference<@Nullable String> stopped = new AtomicReference<>();
  private final CountDownLatch isStopped = new CountDownLatch(1);

  Tally(long startNanos) {
    timeline = new Timeline(startNanos);
  }

  void verdict(Batch batch, PushAnswer.Verdict verdict) {
    outcomes.verdict(batch, verdict);
    accepted.add(verdict.accepted());
    rejected.add(verdict.rejected());
    untimed.add(verdict.untimed());
    bytes.add(batch.lines().length());
    wireBytes.add(batch.body().length());
    if (verdict.rejected() > 0) {
      rejectReasons.add(verdict.reason(), verdict.rejected());
    }
    if (verdict.accepted() + verdict.rejected() != batch.events()) {
      errors.add("verdicts that do not add up", 1);
    }
  }

  /**
   * @param isUnsure whether events may be stored
   */
  void giveUp(Batch batch, boolean isUnsure) {
    (isUnsure ? unknown : givenUp).add(batch.events());
    if (isUnsure) {
      outcomes.unsure(batch);
    }
  }

  /** Ends the run early. False if it is ending already: the first reason counts. */
  boolean stop(String reason) {
    boolean isFirst = stopped.compareAndSet(null, reason);
    isStopped.countDown();
    return isFirst;
  }

  /** Waits for some time, or until the run ends early; true if it does. */
  boolean stopsWithin(long nanos) throws InterruptedException {
    return isStopped.await(nanos, TimeUnit.NANOSECONDS);
  }

  /** Why the run ended early, or null. */
  public @Nullable String stopped() {
    return stopped.get();
  }

  /**
   * @param events that the answer accepted
   */
  void latency(long intendedNanos, long sentNanos, long doneNanos, long events) {
    long micros = micros(doneNanos - intendedNanos);
    timeline.add(doneNanos, events, micros);
    latencyMicros.recordValue(micros);
    serviceMicros.recordValue(micros(doneNanos - sentNanos));
  }

  private static long micros(long nanos) {
    return Math.max(0, Math.min(LATENCY_MICROS_MAX, nanos / 1_000));
  }
}
