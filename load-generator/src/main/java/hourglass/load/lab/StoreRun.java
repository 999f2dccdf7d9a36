package hourglass.load.lab;

import hourglass.access.Failures;
import hourglass.bucketing.RowKey;
import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.load.send.Pacer;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes a schedule to a store in an open loop. Each window is due with the last of its events,
 * however long earlier windows take, and its latency counts from that time. For one run.
 */
final class StoreRun {
  private final Schedule schedule;
  private final List<List<Event>> windows;
  private final StoreUnderTest store;
  private final int inFlightMax;
  private final Semaphore permits;
  private final WriteCounts counts;
  private final LatencyLog latencies;
  private final EventPayloads payloads = new EventPayloads();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong lastNanos = new AtomicLong();
  private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();

  /**
   * Creates a run.
   *
   * @param inFlightMax the most windows in flight; further ones wait, and the wait counts as
   *     latency
   */
  StoreRun(
      Schedule schedule,
      List<List<Event>> windows,
      NodePlacement nodes,
      StoreUnderTest store,
      int inFlightMax) {
    this.schedule = schedule;
    this.windows = windows;
    this.store = store;
    this.inFlightMax = inFlightMax;
    permits = new Semaphore(inFlightMax);
    counts = new WriteCounts(schedule, nodes);
    latencies = new LatencyLog(schedule.phases().size());
  }

  LayoutResult run(String name, Layout layout, ProgressLine progress) throws InterruptedException {
    long start = store.nanos().now() + schedule.warmUpNanos();
    try (ProgressLine.Watch watch = progress.watch(() -> line(name))) {
      send(layout, start);
      permits.acquire(inFlightMax);
    }
    counts.end();
    latencies.endSecond();
    double seconds = Math.max(0, lastNanos.get() - start) / 1e9;
    return new LayoutResult(
        name, counts, written.get(), failed.get(), seconds, latencies, firstFailure.get());
  }

  private String line(String name) {
    return FigureText.format(
        "%s: %,d of %,d events written, %,d failed",
        name, written.get(), schedule.measured(), failed.get());
  }

  private void send(Layout layout, long start) throws InterruptedException {
    Pacer pacer = new Pacer(store.nanos(), start, 0);
    for (List<Event> events : windows) {
      RowKey[] rows = layout.rows(events);
      List<Mutation> mutations = mutations(events, rows);
      Event last = events.get(events.size() - 1);
      long due = start + last.dueNanos();
      pacer.await(due);
      permits.acquire();
      int second = Schedule.second(store.nanos().now() - start);
      for (int i = 0; i < rows.length; i++) {
        counts.add(events.get(i), rows[i], second);
      }
      store
          .write(mutations)
          .whenComplete((done, failure) -> end(last, events.size(), start, failure));
    }
  }

  private List<Mutation> mutations(List<Event> events, RowKey[] rows) {
    Map<RowKey, ColumnsBuilder> builders = new LinkedHashMap<>();
    for (int i = 0; i < rows.length; i++) {
      Event event = events.get(i);
      builders
          .computeIfAbsent(rows[i], row -> new ColumnsBuilder(16, 16 << 10))
          .add(event.ticks(), event.lsb(), payloads.of(event), 0, Event.BYTES);
    }
    List<Mutation> mutations = new ArrayList<>(builders.size());
    builders.forEach((row, columns) -> mutations.add(new Mutation(row, columns.build())));
    return mutations;
  }

  private void end(Event last, int count, long start, @Nullable Throwable failure) {
    if (failure != null) {
      failed.addAndGet(count);
      String message = String.valueOf(Failures.cause(failure).getMessage());
      firstFailure.compareAndSet(null, message);
    } else if (last.isMeasured()) {
      long now = store.nanos().now();
      lastNanos.accumulateAndGet(now, Math::max);
      written.addAndGet(count);
      latencies.record(
          Schedule.second(now - start), last.phase(), now - start - last.dueNanos(), count);
    }
    permits.release();
  }
}
