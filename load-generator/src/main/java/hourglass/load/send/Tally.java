package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.client.PushAnswer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The outcomes of a run. Thread-safe. */
public final class Tally {
  /** A kind of error: an answer in which the number of verdicts differs from that of the events. */
  public static final String MISCOUNTED = "verdicts that do not add up";

  public final BatchOutcomes outcomes = new BatchOutcomes();
  public final Events events = new Events();
  final Traffic traffic = new Traffic();
  public final Counts errors = new Counts();
  public final Counts retries = new Counts();
  final Counts rejectReasons = new Counts();
  public final Latencies latencies;
  public final StopSignal signal = new StopSignal();

  /** The failure of the last request, or empty. */
  private volatile String failure = "";

  /** The rejected event nearest to the start of the source, or null. */
  private final AtomicReference<@Nullable Reject> firstReject = new AtomicReference<>();

  /** The events of a run by their outcome. Thread-safe. */
  public static final class Events {
    public final LongAdder accepted = new LongAdder();

    /** The events with the verdict "not an event". */
    public final LongAdder rejected = new LongAdder();

    /** The events that got the time of receipt. */
    final LongAdder untimed = new LongAdder();

    public final LongAdder unknown = new LongAdder();

    /** The events that were given up and are certainly not stored. */
    public final LongAdder givenUp = new LongAdder();
  }

  /** Ends a run early. Thread-safe. */
  public static final class StopSignal {
    private final AtomicReference<@Nullable String> reason = new AtomicReference<>();
    private final CountDownLatch isStopped = new CountDownLatch(1);
    private volatile Runnable onStop = () -> {};

    /**
     * Ends the run. Returns false if it is ending already, in which case the first reason counts.
     */
    public boolean stop(String why) {
      boolean isFirst = reason.compareAndSet(null, why);
      isStopped.countDown();
      onStop.run();
      return isFirst;
    }

    /** Returns why the run ended early, or null. */
    public @Nullable String reason() {
      return reason.get();
    }

    /** Sets an action for an early end of the run. It runs at once if the run is ending already. */
    void onStop(Runnable action) {
      onStop = action;
      if (reason() != null) {
        action.run();
      }
    }

    /** Waits for some time, or until the run ends early. Returns whether it does. */
    boolean stopsWithin(long nanos) throws InterruptedException {
      return isStopped.await(nanos, TimeUnit.NANOSECONDS);
    }
  }

  /** The requests of the run. */
  static final class Traffic {
    final LongAdder requests = new LongAdder();

    /** The unpacked bytes of the events in requests with a verdict. */
    final LongAdder bytes = new LongAdder();

    /** The bytes of the bodies of these requests on the wire. */
    final LongAdder wireBytes = new LongAdder();
  }

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

  private final BatchListener listener;

  Tally(long startNanos) {
    this(startNanos, BatchListener.NONE);
  }

  public Tally(long startNanos, BatchListener listener) {
    this.latencies = new Latencies(startNanos);
    this.listener = listener;
  }

  void verdict(Batch batch, PushAnswer.Verdict verdict) {
    failure = "";
    listener.verdict(batch, verdict);
    outcomes.verdict(batch, verdict);
    events.accepted.add(verdict.accepted());
    events.rejected.add(verdict.rejected());
    events.untimed.add(verdict.untimed());
    traffic.bytes.add(batch.lines().length());
    traffic.wireBytes.add(batch.body().length());
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
    (isUnsure ? events.unknown : events.givenUp).add(batch.events());
    if (isUnsure) {
      outcomes.unsure(batch);
    }
  }
}
