package hourglass.query.http;

import hourglass.query.fair.FairExecutor;
import hourglass.query.fair.Places;
import hourglass.query.fair.Places.Place;
import hourglass.query.fair.Places.Size;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Bounds the number of queries at work, and times each query. Thread-safe. */
final class QueryLimiter {
  private final Places places;
  private final FairExecutor threads;
  private final MeterRegistry meters;

  QueryLimiter(Places places, FairExecutor threads, MeterRegistry meters) {
    this.places = places;
    this.threads = threads;
    this.meters = meters;
    meters.gauge("hourglass.query.running", places, Places::begun);
    meters.gauge("hourglass.query.waiting", places, Places::waiting);
    meters.gauge("hourglass.query.resting", places, Places::resting);
  }

  /** A query that waits for a place. Called on any thread. */
  interface Waiting {
    void begin(Ticket ticket);

    void refuse(String why);
  }

  /** An answer that has begun. Called on any thread as its place changes. */
  interface Begun {
    /** The answer has its place again. */
    void resume();

    /** The answer must end: its client reads too slowly, and other queries wait for its room. */
    void crowdOut();
  }

  /** Requests a place for a query. */
  Ticket enter(Endpoint endpoint, Object client, Size size, Waiting waiting) {
    Ticket ticket = new Ticket(endpoint, client, size, waiting);
    ticket.place.enter();
    return ticket;
  }

  /** Checks the waiting queries; to be called periodically while there are any. */
  void look() {
    places.look();
  }

  /** Counts a query that never ran. */
  void refused(Endpoint endpoint, String outcome) {
    timer(endpoint, outcome).record(Duration.ZERO);
  }

  private Timer timer(Endpoint endpoint, String outcome) {
    return meters.timer("hourglass.query", "endpoint", endpoint.tag(), "outcome", outcome);
  }

  /** One query, from its request for a place to its end. Thread-safe. */
  final class Ticket implements Places.Holder {
    private final Endpoint endpoint;
    private final Waiting waiting;
    private final FairExecutor.Lane lane;
    private final Place place;
    private final Timer.Sample sample = Timer.start(meters);
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Begun begun;

    private Ticket(Endpoint endpoint, Object client, Size size, Waiting waiting) {
      this.endpoint = endpoint;
      this.waiting = waiting;
      lane = threads.lane(client);
      place = places.place(client, size, this);
    }

    /** The executor of the query. It starts no task while the query has yielded its place. */
    Executor executor() {
      return lane;
    }

    boolean isWaiting() {
      return place.isWaiting();
    }

    boolean hasEnded() {
      return ended.get();
    }

    /** Sets the size of a query that waits. */
    void sized(boolean small) {
      place.sized(small ? Size.SMALL : Size.LARGE);
    }

    /** Registers the answer for callbacks about its place. */
    void begun(Begun answer) {
      begun = answer;
    }

    /** Releases the place while the client reads nothing. */
    void rest() {
      place.rest();
      pauseIfMust();
    }

    /** Checks all waiting queries; to be called periodically until the end of this one. */
    void look() {
      QueryLimiter.this.look();
    }

    /** Whether it has its place. If not, it requests one, and {@link Begun#resume} follows. */
    boolean works() {
      return place.ask();
    }

    @Override
    public void begin() {
      if (!ended.get()) {
        waiting.begin(this);
      }
    }

    @Override
    public void refuse(String why) {
      if (end("too_many")) {
        waiting.refuse(why);
      }
    }

    @Override
    public void moved() {
      pauseIfMust();
      Begun answer = begun;
      if (answer != null) {
        answer.resume();
      }
    }

    /** Uses the current state of the place, since callbacks may overtake one another. */
    private synchronized void pauseIfMust() {
      if (place.mustPause()) {
        lane.pause();
      } else {
        lane.resume();
      }
    }

    @Override
    public void cutOff() {
      Begun answer = begun;
      if (answer != null) {
        answer.crowdOut();
      }
    }

    /** Ends the query with an outcome. Returns true for the first call only. */
    boolean end(String outcome) {
      if (!ended.compareAndSet(false, true)) {
        return false;
      }
      place.end();
      pauseIfMust();
      sample.stop(timer(endpoint, outcome));
      return true;
    }

    /** As {@link #end}, and counts the rows and columns that the query read. */
    void end(String outcome, long rowsRead, long columnsRead) {
      meters.counter("hourglass.query.rows").increment((double) rowsRead);
      meters.counter("hourglass.query.columns").increment((double) columnsRead);
      end(outcome);
    }
  }
}
