package hourglass.config.cli;

import hourglass.config.server.Hourglass;
import hourglass.config.settings.Settings;
import hourglass.load.client.Batch;
import hourglass.load.client.PushAnswer;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadFailure;
import io.vertx.core.buffer.Buffer;
import java.io.PrintStream;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the demo: it pushes two hours of the past at once, runs a query, then feeds live
 * traffic.
 */
final class DemoRun implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAST = Duration.ofHours(2);
  private static final int EVENTS_A_SECOND = 10;
  private static final int BATCH_EVENTS = 2_000;
  private static final int LIVE_BATCHES_A_SECOND = 5;
  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter CLOCK_TIME =
      DateTimeFormatter.ofPattern("HH:mm").withZone(ZoneOffset.UTC);
  private static final Logger logger = LoggerFactory.getLogger(DemoRun.class);

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread feeder = new Thread(this::pushLive, "feeder");
  private final Clock clock;
  private final Instant begin;
  private final ShopTraffic traffic;
  private final Hourglass hourglass;
  private final TargetClient client;

  /**
   * The number of events that are due, with a fraction. First the thread that pushes the past uses
   * it, then the feeder.
   */
  private double owed;

  DemoRun(Settings settings, Clock clock) {
    this.clock = clock;
    begin = clock.instant().minus(PAST);
    traffic = new ShopTraffic(clock.millis(), begin);
    hourglass = Hourglass.start(settings, clock);
    URI server = URI.create(hourglass.address());
    client = new TargetClient(List.of(server), server, 1, PATIENCE, null, null);
  }

  /**
   * Pushes the past and prints the results of a query. Returns early, without a failure, if this is
   * closed meanwhile.
   */
  void show(PrintStream out) {
    try {
      showAll(out);
    } catch (LoadFailure e) {
      if (!isClosed()) {
        throw e;
      }
    }
  }

  private void showAll(PrintStream out) {
    String address = hourglass.address();
    out.printf("%ndashboard %s/%n%n", address);
    long pushStarted = System.nanoTime();
    int pushed = pushPast();
    out.printf(
        "pushed    %,d events of the last two hours in %,d ms, each batch acknowledged once it was"
            + " on disk%n",
        pushed, millisSince(pushStarted));
    String hour = HOUR.format(clock.instant().minus(1, ChronoUnit.HOURS));
    String query = "/api/v1/events?hour=" + hour + "&limit=all&format=ndjson";
    client.lines(query); // warms up, so that the query is timed and not the start
    long queryStarted = System.nanoTime();
    long read = client.lines(query);
    out.printf(
        "queried   the hour %s: %,d events of all types in time order in %,d ms%n",
        hour, read, millisSince(queryStarted));
    out.printf("newest    %s", client.text("/api/v1/events?order=desc&limit=1&format=ndjson"));
    out.printf(
        """

        The last hour has a story:
          %s  a crawler floods the search for five minutes
          %s  version %s of payments is deployed to %s, and payments fail there
          %s  it is rolled back
        See it, and what failed:
          %s
          %6$s&type=payment&q=ok:false
        """,
        at(ShopTraffic.CRAWL),
        at(ShopTraffic.DEPLOY),
        ShopTraffic.NEW_VERSION,
        ShopTraffic.BROKEN_HOST,
        at(ShopTraffic.ROLLBACK),
        hourPage());
    out.printf(
        """
        By hand:
          curl -d '{"type":"hello","time":"%s"}' -H 'Content-Type: application/json' %s/api/v1/events
          curl '%2$s%s'
          curl '%2$s/api/v1/hits?hour=%s&step=10m&by=type'
          curl '%2$s/api/v1/rows?hour=%4$s'
        """,
        clock.instant().truncatedTo(ChronoUnit.SECONDS), address, query, hour);
  }

  /** Returns the address of the dashboard with the last hour, which contains a whole story. */
  String hourPage() {
    return hourglass.address() + "/?last=60m";
  }

  /** Returns the time of day of a minute of the last story. */
  private String at(int minute) {
    int last = ShopTraffic.STORY_MINUTES;
    return CLOCK_TIME.format(begin.plus(PAST).minus(last - minute, ChronoUnit.MINUTES));
  }

  /** Feeds live traffic until this is closed. */
  void feed(PrintStream out) {
    if (isClosed()) {
      return;
    }
    feeder.start();
    out.printf(
        "%nlive      about %d events a second go in until you stop this with Ctrl-C%n",
        EVENTS_A_SECOND);
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  @Override
  public void close() {
    closed.countDown();
    hourglass.close();
    try {
      feeder.join(); // its push has failed by now
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }

  private int pushPast() {
    Instant now = clock.instant();
    Duration step = Duration.ofSeconds(1).dividedBy(EVENTS_A_SECOND);
    StringBuilder lines = new StringBuilder();
    int pushed = 0;
    for (Instant time = begin; time.isBefore(now); time = time.plus(step)) {
      for (owed += traffic.rate(time); owed >= 1; owed--) {
        traffic.append(lines, time);
        if (++pushed % BATCH_EVENTS == 0) {
          push(lines);
        }
      }
    }
    push(lines);
    return pushed;
  }

  private void pushLive() {
    try {
      while (!closed.await(1000 / LIVE_BATCHES_A_SECOND, TimeUnit.MILLISECONDS)) {
        pushNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the demo is ending
    }
  }

  private void pushNow() {
    Instant now = clock.instant();
    StringBuilder lines = new StringBuilder();
    owed += traffic.rate(now) * EVENTS_A_SECOND / LIVE_BATCHES_A_SECOND;
    for (int i = 0; owed >= 1; owed--, i++) {
      traffic.append(lines, now.plusNanos(i * 1_000_000L));
    }
    try {
      push(lines);
    } catch (LoadFailure e) {
      if (!isClosed()) {
        logger.warn("a batch of sample traffic was not taken: {}", e.getMessage());
      }
    }
  }

  private static long millisSince(long startNanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  /** Pushes the lines as one batch, and empties them. */
  private void push(StringBuilder lines) {
    Batch batch = Batch.plain(0, 0, 1, Buffer.buffer(lines.toString()));
    lines.setLength(0);
    PushAnswer answer = client.push(batch, "", null, 0);
    boolean isTaken = answer instanceof PushAnswer.Verdict verdict && verdict.rejected() == 0;
    if (!isTaken) {
      throw new LoadFailure("POST /api/v1/events: " + answer);
    }
  }
}
