package hourglass.ingest.service;

import hourglass.bucketing.shards.ShardPlanner;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics of row placement and of shard claims. Thread-safe. */
final class PlacementMeters {
  final Counter made;
  final Counter failed;
  final Timer waits;
  final AtomicInteger underWay = new AtomicInteger();
  final AtomicInteger waiting = new AtomicInteger();

  PlacementMeters(MeterRegistry meters, ShardPlanner planner) {
    MeterProvider<Counter> claims =
        Counter.builder("hourglass.ingest.claims")
            .description("Shard claims, by outcome")
            .withRegistry(meters);
    made = claims.withTag("outcome", "made");
    failed = claims.withTag("outcome", "failed");
    waits =
        Timer.builder("hourglass.ingest.claim.waits")
            .description("Writes that waited for the answer to a claim, and how long")
            .register(meters);
    Gauge.builder("hourglass.ingest.claims.under.way", underWay, AtomicInteger::get)
        .description("Claims that the store has not answered yet")
        .register(meters);
    Gauge.builder("hourglass.ingest.claim.waiting", waiting, AtomicInteger::get)
        .description("Writes that wait for the answer to a claim now")
        .register(meters);
    Gauge.builder("hourglass.ingest.planned", planner, ShardPlanner::typeHours)
        .description("Type hours with rows that this process knows")
        .register(meters);
    FunctionCounter.builder("hourglass.ingest.rounds", planner, ShardPlanner::groups)
        .description("Sets of rows that this process began to fill side by side")
        .register(meters);
    FunctionCounter.builder("hourglass.ingest.rows.opened", planner, ShardPlanner::rows)
        .description("Rows of those sets")
        .register(meters);
  }
}
