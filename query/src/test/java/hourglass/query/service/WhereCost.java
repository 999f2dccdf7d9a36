package hourglass.query.service;

import hourglass.query.Chunk;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.store.Order;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Clock;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The filters of {@link WhereBenchmark} by the processor time of their thread, which is meaningful
 * on a busy machine, too: milliseconds an hour of a million events. It is the median of several
 * rounds, after as many for warm-up, in turns, so that all share the compiler. Run {@link #main}
 * with the number of rounds, and the names of filters for a part of them.
 */
final class WhereCost {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final PackedStore store = new PackedStore();
  private final QueryService service =
      new QueryService(store, QueryOptions.builder().build(), Clock.systemUTC(), Runnable::run);
  private final Chunk chunk = new Chunk(128 << 10);

  private WhereCost() {
    MillionEvents.write(store);
  }

  public static void main(String[] args) {
    int rounds = args.length == 0 ? 5 : Integer.parseInt(args[0]);
    WhereCost cost = new WhereCost();
    WhereBenchmark.Filter[] filters =
        args.length < 2
            ? WhereBenchmark.Filter.values()
            : Stream.of(args)
                .skip(1)
                .map(WhereBenchmark.Filter::valueOf)
                .toArray(WhereBenchmark.Filter[]::new);
    long[][] millis = new long[filters.length][2 * rounds];
    for (int round = 0; round < 2 * rounds; round++) {
      for (int filter = 0; filter < filters.length; filter++) {
        millis[filter][round] = cost.of(filters[filter].where());
      }
    }
    for (int filter = 0; filter < filters.length; filter++) {
      long[] measured = Arrays.copyOfRange(millis[filter], rounds, 2 * rounds);
      Arrays.sort(measured);
      System.out.printf(
          "%-8s %,6d ms (%,d to %,d)   %s%n",
          filters[filter],
          measured[rounds / 2],
          measured[0],
          measured[rounds - 1],
          filters[filter].where());
    }
  }

  private long of(String where) {
    long begun = THREADS.getCurrentThreadCpuTime();
    Selection selection = new Selection(new TreeSet<>(), TimeRange.ALL, "", where);
    EventQuery query = new EventQuery(selection, Order.ASCENDING, EventQuery.ALL, null);
    MillionEvents.read(service.events(query, EventFormat.NDJSON, CsvTable.STANDARD), chunk);
    return (THREADS.getCurrentThreadCpuTime() - begun) / 1_000_000;
  }
}
