package hourglass.query.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Lets a bounded number of queries run at a time, and times each. Thread-safe. */
final class Admission {
  private final int runningMax;
  private final MeterRegistry meters;
  private final AtomicInteger running = new AtomicInteger();

  Admission(int runningMax, MeterRegistry meters) {
    this.runningMax = runningMax;
    this.meters = meters;
    meters.gauge("hourglass.query.running", running);
  }

  /** Admits a query, or refuses it with null if there are too many. */
  @Nullable Ticket enter(Endpoint endpoint) {
    if (running.incrementAndGet() > runningMax) {
      running.decrementAndGet();
      refused(endpoint, "too_many");
      return null;
    }
    return new Ticket(endpoint);
  }

  /** Notes a query that never ran. */
  void refused(Endpoint endpoint, String outcome) {
    timer(endpoint, outcome).record(Duration.ZERO);
  }

  private Timer timer(Endpoint endpoint, String outcome) {
    return meters.timer("hourglass.query", "endpoint", endpoint.tag(), "outcome", outcome);
  }

  /** The leave to run one query; give it back once, in whatever way it ended. */
  final class Ticket {
    private final Endpoint endpoint;
    private final Timer.Sample sample = Timer.start(meters);
    private final AtomicBoolean ended = new AtomicBoolean();

    private Ticket(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    /** Only the first call counts. */
    void end(String outcome) {
      if (ended.compareAndSet(false, true)) {
        running.decrementAndGet();
        sample.stop(timer(endpoint, outcome));
      }
    }

    /** As {@link #end}, with what the store was asked for. */
    void end(String outcome, long rowsRead, long columnsRead) {
      meters.counter("hourglass.query.rows").increment((double) rowsRead);
      meters.counter("hourglass.query.columns").increment((double) columnsRead);
      end(outcome);
    }
  }
}
