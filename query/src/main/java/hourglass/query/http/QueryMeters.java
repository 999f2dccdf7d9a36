package hourglass.query.http;

import hourglass.access.Client;
import hourglass.query.http.RunningQueries.RunningQuery;
import hourglass.query.scan.QueryReads;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Measures queries, lists those under way, and logs those that were slow. Thread-safe.
 *
 * @param registry contains the meters
 */
record QueryMeters(RunningQueries running, SlowQueries slow, MeterRegistry registry) {

  /** Counts a query that never ran. */
  void refused(Endpoint endpoint, String outcome) {
    timer(endpoint, outcome).record(Duration.ZERO);
  }

  private Timer timer(Endpoint endpoint, String outcome) {
    return Timer.builder("hourglass.query")
        .description("Queries, from their request for a place to their end")
        .tags("endpoint", endpoint.tag(), "outcome", outcome)
        .register(registry);
  }

  /** Begins to measure a query of a client. */
  Measured start(Endpoint endpoint, Client client) {
    return new Measured(endpoint, client);
  }

  /** One query, from its request for a place to its end. Thread-safe. */
  final class Measured {
    private final Endpoint endpoint;
    private final Client client;
    private final QueryReads reads = new QueryReads();
    private final Timer.Sample sample = Timer.start(registry);

    /** Whether it had a place, so that it may have been slow itself. */
    private volatile boolean hasBegun;

    /** Null before {@link #list}. */
    private volatile @Nullable RunningQuery listed;

    private Measured(Endpoint endpoint, Client client) {
      this.endpoint = endpoint;
      this.client = client;
    }

    /** Lists the query until its end. {@code cancel} ends it sooner. */
    void list(RoutingContext ctx, Function<Failure, CompletionStage<Boolean>> cancel) {
      listed = running.begin(ctx, client, reads, cancel);
    }

    /** Notes that the query has a place. */
    void begun() {
      hasBegun = true;
    }

    Client client() {
      return client;
    }

    /** Counts what the query reads. */
    QueryReads reads() {
      return reads;
    }

    /** Counts the query. Call it once. */
    void end(String outcome) {
      long nanos = sample.stop(timer(endpoint, outcome));
      countReads();
      RunningQuery ending = listed;
      if (ending != null) {
        running.end(ending);
        if (hasBegun) {
          slow.ended(ending, nanos, outcome);
        }
      }
    }

    private void countReads() {
      Counter.builder("hourglass.query.rows")
          .description("Rows that queries have read")
          .register(registry)
          .increment((double) reads.rows());
      Counter.builder("hourglass.query.columns")
          .description("Columns that queries have read")
          .register(registry)
          .increment((double) reads.columns());
      Counter.builder("hourglass.query.bytes")
          .description("Bytes of payloads, or of their fields, that queries have read")
          .register(registry)
          .increment((double) reads.bytes());
    }
  }
}
