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
  /** A kind of error: an answer with another number of verdicts than events. */
  public static final String MISCOUNTED = "verdicts that do not add up";

  private static final long LATENCY_MICROS_MAX = TimeUnit.HOURS.toMicros(1);

  public final BatchOutcomes outcomes = new BatchOutcomes();
  final LongAdder accepted = new LongAdder();

  /** Events with a verdict "not an event". */
  public final LongAdder rejected = new LongAdder();

  /** Events that got the time of receipt. */
  final LongAdder untimed = new LongAdder();

  public final LongAdder unknown = new LongAdder();

  /** Events given up, surely not stored. */
  public final LongAdder givenUp = new LongAdder();

  final LongAdder requests = new LongAdder();

  /** Unpacked events of requests with a verdict. */
  final LongAdder bytes = new LongAdder();

  /** Their bodies on the wire. */
  final LongAdder wireBytes = new LongAdder();

  public final Counts errors = new Counts();
  public final Counts retries = new Counts();
  final Counts rejectReasons = new Counts();

  /** From the intended time of sending to the verdict. */
  public final Histogram latencyMicros = new ConcurrentHistogram(LATENCY_MICROS_MAX, 3);

  /** From the last attempt to the verdict. */
  final Histogram serviceMicros = new ConcurrentHistogram(LATENCY_MICROS_MAX, 3);

  final Timeline timeline;

  /** Of the last request, or empty. */
  private volatile String failure = "";

  /** The rejected event nearest to the start of the source, or null. */
  private final AtomicReference<@Nullable Reject> firstReject = new AtomicReference<>();

  /**
   * @param event counted from 1 in the source
   */
  record Reject(long event, String reason) {
    static Reject first(@Nullable Reject one, Reject other) {
      return one == null || other.event < one.event ? other : one;
    }
  }

  private final AtomicReference<@Nullable String> stopped = new AtomicReference<>();
  private final CountDownLatch isStopped = new CountDownLatch(1);
  private final BatchListener listener;
  private volatile Runnable onStop = () -> {};

  Tally(long startNanos) {
    this(startNanos, BatchListener.NONE);
  }

  public Tally(long startNanos, BatchListener listener) {
    this.timeline = new Timeline(startNanos);
    this.listener = listener;
  }

  void verdict(Batch batch, PushAnswer.Verdict verdict) {
    failure = "";
    listener.verdict(batch, verdict);
    outcomes.verdict(batch, verdict);
    accepted.add(verdict.accepted());
    rejected.add(verdict.rejected());
    untimed.add(verdict.untimed());
    bytes.add(batch.lines().length());
    wireBytes.add(batch.body().length());
    if (verdict.rejected() > 0) {
      rejectReasons.add(verdict.reason(), verdict.rejected());
      if (verdict.rejectedIndexes().length > 0) {
        long event = batch.firstEvent() + verdict.rejectedIndexes()[0] + 1;
        firstReject.accumulateAndGet(new Reject(event, verdict.reason()), Reject::first);
      }
    }
    if (verdict.accepted() + verdict.rejected() != batch.events()) {
      errors.add(MISCOUNTED, 1);
    }
  }

  void failed(PushAnswer.Failure answer) {
    errors.add(answer.kind(), 1);
    failure = answer.toString();
  }

  /** Why the last request failed; empty if it did not. */
  public String failure() {
    return failure;
  }

  @Nullable Reject firstReject() {
    return firstReject.get();
  }

  /**
   * @param isUnsure whether events may be stored
   */
  void giveUp(Batch batch, boolean isUnsure, PushAnswer.Failure failure) {
    listener.givenUp(batch, isUnsure, failure);
    (isUnsure ? unknown : givenUp).add(batch.events());
    if (isUnsure) {
      outcomes.unsure(batch);
    }
  }

  /** Ends the run early. False if it is ending already: the first reason counts. */
  public boolean stop(String reason) {
    boolean isFirst = stopped.compareAndSet(null, reason);
    isStopped.countDown();
    onStop.run();
    return isFirst;
  }

  /** An action for the end of the run before all is sent. */
  void onStop(Runnable action) {
    onStop = action;
    if (stopped() != null) {
      action.run();
    }
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
