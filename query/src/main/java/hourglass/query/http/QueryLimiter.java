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

/** Lets a bounded number of queries work at a time, and times each. Thread-safe. */
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

  /** What a query does as it is let in, or not. Called on any thread. */
  interface Waiting {
    void begin(Ticket ticket);

    void refuse(String why);
  }

  /** What an answer that was begun does as its place changes. Called on any thread. */
  interface Begun {
    /** Its place is back. */
    void resume();

    /** It is to end: its client takes too little, and others wait for its room. */
    void crowdOut();
  }

  /** Asks for a place for a query. */
  Ticket enter(Endpoint endpoint, Object client, Size size, Waiting waiting) {
    Ticket ticket = new Ticket(endpoint, client, size, waiting);
    ticket.place.enter();
    return ticket;
  }

  /** Looks after those that wait; to be called now and then while any does. */
  void look() {
    places.look();
  }

  /** Notes a query that never ran. */
  void refused(Endpoint endpoint, String outcome) {
    timer(endpoint, outcome).record(Duration.ZERO);
  }

  private Timer timer(Endpoint endpoint, String outcome) {
    return meters.timer("hourglass.query", "endpoint", endpoint.tag(), "outcome", outcome);
  }

  /**
   * One query, from where it asks for a place to its end; end it once, in whatever way it ended.
   * Thread-safe.
   */
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

    /** Runs what the query does. It begins nothing while the query has yielded its place. */
    Executor executor() {
      return lane;
    }

    /** Whether it has yet to begin. */
    boolean isWaiting() {
      return place.isWaiting();
    }

    boolean hasEnded() {
      return ended.get();
    }

    /** Tells what it costs, while it waits. */
    void sized(boolean small) {
      place.sized(small ? Size.SMALL : Size.LARGE);
    }

    /** From now on, this is called as the place changes. */
    void begun(Begun answer) {
      begun = answer;
    }

    /** Gives the place back while the client takes nothing. */
    void rest() {
      place.rest();
      pauseIfMust();
    }

    /** Looks after those that wait, this one among them; to be called now and then to its end. */
    void look() {
      QueryLimiter.this.look();
    }

    /** Whether it has its place. If not, it asks for it, and {@link Begun#resume} follows. */
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

    /** By the state as it is now: calls may overtake one another. */
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

    /** Only the first call counts; whether this is it. */
    boolean end(String outcome) {
      if (!ended.compareAndSet(false, true)) {
        return false;
      }
      place.end();
      pauseIfMust();
      sample.stop(timer(endpoint, outcome));
      return true;
    }

    /** As {@link #end}, with what the store was asked for. */
    void end(String outcome, long rowsRead, long columnsRead) {
      meters.counter("hourglass.query.rows").increment((double) rowsRead);
      meters.counter("hourglass.query.columns").increment((double) columnsRead);
      end(outcome);
    }
  }
}
