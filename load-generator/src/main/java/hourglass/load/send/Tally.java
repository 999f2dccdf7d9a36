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
  /** A kind of error: an answer in which the number of verdicts differs from that of the events. */
  public static final String MISCOUNTED = "verdicts that do not add up";

  private static final long LATENCY_MICROS_MAX = TimeUnit.HOURS.toMicros(1);

  public final BatchOutcomes outcomes = new BatchOutcomes();
  final LongAdder accepted = new LongAdder();

  /** The events with the verdict "not an event". */
  public final LongAdder rejected = new LongAdder();

  /** The events that got the time of receipt. */
  final LongAdder untimed = new LongAdder();

  public final LongAdder unknown = new LongAdder();

  /** The events that were given up and are certainly not stored. */
  public final LongAdder givenUp = new LongAdder();

  final LongAdder requests = new LongAdder();

  /** The unpacked bytes of the events in requests with a verdict. */
  final LongAdder bytes = new LongAdder();

  /** The bytes of the bodies of these requests on the wire. */
  final LongAdder wireBytes = new LongAdder();

  public final Counts errors = new Counts();
  public final Counts retries = new Counts();
  final Counts rejectReasons = new Counts();

  /** The time from the intended time of sending to the verdict. */
  public final Histogram latencyMicros = new ConcurrentHistogram(LATENCY_MICROS_MAX, 3);

  /** The time from the last attempt to the verdict. */
  final Histogram serviceMicros = new ConcurrentHistogram(LATENCY_MICROS_MAX, 3);

  final Timeline timeline;

  /** The failure of the last request, or empty. */
  private volatile String failure = "";

  /** The rejected event nearest to the start of the source, or null. */
  private final AtomicReference<@Nullable Reject> firstReject = new AtomicReference<>();

  /**
   * An event that was rejected.
   *
   * @param event the event's number in the source, counted from 1
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

  /** Returns why the last request failed, or an empty text if it did not fail. */
  public String failure() {
    return failure;
  }

  @Nullable Reject firstReject() {
    return firstReject.get();
  }

  /**
   * Counts the events of a batch that is given up.
   *
   * @param isUnsure whether some of its events may be stored
   */
  void giveUp(Batch batch, boolean isUnsure, PushAnswer.Failure failure) {
    listener.givenUp(batch, isUnsure, failure);
    (isUnsure ? unknown : givenUp).add(batch.events());
    if (isUnsure) {
      outcomes.unsure(batch);
    }
  }

  /**
   * Ends the run early. Returns false if it is ending already, in which case the first reason
   * counts.
   */
  public boolean stop(String reason) {
    boolean isFirst = stopped.compareAndSet(null, reason);
    isStopped.countDown();
    onStop.run();
    return isFirst;
  }

  /** Sets an action for an early end of the run. It runs at once if the run is ending already. */
  void onStop(Runnable action) {
    onStop = action;
    if (stopped() != null) {
      action.run();
    }
  }

  /** Waits for some time, or until the run ends early. Returns whether it does. */
  boolean stopsWithin(long nanos) throws InterruptedException {
    return isStopped.await(nanos, TimeUnit.NANOSECONDS);
  }

  /** Returns why the run ended early, or null. */
  public @Nullable String stopped() {
    return stopped.get();
  }

  /**
   * Records the latencies of a request.
   *
   * @param events the number of events that the answer accepted
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
