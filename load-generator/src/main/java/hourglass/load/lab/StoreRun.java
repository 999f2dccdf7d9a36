package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import hourglass.load.command.Nanos;
import hourglass.load.command.ProgressLine;
import hourglass.load.lab.traffic.Payloads;
import hourglass.load.lab.traffic.Schedule;
import hourglass.load.lab.traffic.SendWindow;
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
 * Writes a schedule straight to a store, in an open loop: each window of events is due when the
 * last of them is, however long the ones before take, and its latency counts from then. The warm-up
 * comes first, by the same layout. For one run.
 */
final class StoreRun {
  private final Schedule schedule;
  private final List<SendWindow> windows;
  private final StoreWrites writes;
  private final Nanos nanos;
  private final int inFlightMax;
  private final Semaphore room;
  private final Payloads payloads;
  private final Placing placing;
  private final LatencyLog latencies;
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong lastNanos = new AtomicLong();
  private final AtomicReference<@Nullable String> trouble = new AtomicReference<>();

  /**
   * @param inFlightMax windows that are on their way at a time; more wait, which counts as latency
   */
  StoreRun(
      Schedule schedule,
      List<SendWindow> windows,
      NodePlacement nodes,
      StoreWrites writes,
      Nanos nanos,
      int inFlightMax) {
    this.schedule = schedule;
    this.windows = windows;
    this.writes = writes;
    this.nanos = nanos;
    this.inFlightMax = inFlightMax;
    room = new Semaphore(inFlightMax);
    payloads = new Payloads(schedule);
    placing = new Placing(schedule, nodes);
    latencies = new LatencyLog(schedule.stretches().size());
  }

  LayoutResult run(String name, Layout layout, ProgressLine progress) throws InterruptedException {
    long start = nanos.now() + schedule.warmUpNanos();
    try (ProgressLine.Watch watch = progress.watch(() -> line(name))) {
      send(layout, start);
      room.acquire(inFlightMax);
    }
    placing.end();
    latencies.end();
    return new LayoutResult(
        name,
        schedule,
        placing,
        written.get(),
        failed.get(),
        Math.max(0, lastNanos.get() - start) / 1e9,
        latencies,
        trouble.get(),
        Map.of());
  }

  private String line(String name) {
    return "%s: %,d of %,d events written, %,d failed"
        .formatted(name, written.get(), schedule.measured(), failed.get());
  }

  private void send(Layout layout, long start) throws InterruptedException {
    Pacer pacer = new Pacer(nanos, start, 0);
    for (SendWindow window : windows) {
      RowKey[] rows = layout.rows(schedule, window.from(), window.to());
      List<Mutation> mutations = mutations(window, rows);
      long due = start + window.dueNanos(schedule);
      pacer.await(due);
      room.acquire();
      int second = second(nanos.now() - start);
      for (int event = window.from(); event < window.to(); event++) {
        placing.place(event, rows[event - window.from()], second, window.stretch());
      }
      writes.write(mutations).whenComplete((done, failure) -> end(window, start, due, failure));
    }
  }

  private List<Mutation> mutations(SendWindow window, RowKey[] rows) {
    Map<RowKey, ColumnsBuilder> builders = new LinkedHashMap<>();
    for (int event = window.from(); event < window.to(); event++) {
      builders
          .computeIfAbsent(rows[event - window.from()], row -> new ColumnsBuilder(16, 16 << 10))
          .add(
              schedule.ticks(event),
              schedule.lsb(event),
              payloads.of(event),
              0,
              schedule.bytes(event));
    }
    List<Mutation> mutations = new ArrayList<>(builders.size());
    builders.forEach((row, columns) -> mutations.add(new Mutation(row, columns.build())));
    return mutations;
  }

  private void end(SendWindow window, long start, long due, @Nullable Throwable failure) {
    if (failure == null && window.isMeasured(schedule)) {
      long now = nanos.now();
      lastNanos.accumulateAndGet(now, Math::max);
      written.addAndGet(window.events());
      int second = second(now - start);
      latencies.record(second, window.stretch(), now - due, second, window.events());
    } else if (failure != null) {
      failed.addAndGet(window.events());
      trouble.compareAndSet(null, String.valueOf(StoreWrites.cause(failure).getMessage()));
    }
    room.release();
  }

  private static int second(long nanos) {
    return (int) Math.floorDiv(nanos, 1_000_000_000L);
  }
}
