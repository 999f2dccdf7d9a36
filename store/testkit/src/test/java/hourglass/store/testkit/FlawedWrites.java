package hourglass.store.testkit;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.DroppedHours;
import hourglass.store.FirstTimes;
import hourglass.store.ForwardingStore;
import hourglass.store.Mutation;
import hourglass.store.RowCounts;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Stores with wrong times of writes, or wrong memory of them. */
abstract class FlawedWrites extends ForwardingStore {
  private final WideColumnStore sound;

  private FlawedWrites(WideColumnStore sound) {
    this.sound = sound;
  }

  @Override
  protected WideColumnStore delegate() {
    return sound;
  }

  static final class Torn extends FlawedWrites {
    Torn(WideColumnStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<Void> write(List<Mutation> mutations, FirstTimes times, Object client) {
      for (Mutation mutation : mutations) {
        int size = mutation.columns().size();
        if (size > 1) {
          RowKey row = mutation.row();
          var first = new Mutation(row, mutation.columns().subColumns(0, size / 2));
          super.write(List.of(first), FirstTimes.NONE, client).toCompletableFuture().join();
          LockSupport.parkNanos(200_000); // long enough for a concurrent read
        }
      }
      return super.write(mutations, times, client);
    }
  }

  /** Acknowledges at once and writes later. */
  static final class Early extends FlawedWrites {
    Early(WideColumnStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<Void> write(List<Mutation> mutations, FirstTimes times, Object client) {
      CompletableFuture.delayedExecutor(2, TimeUnit.MILLISECONDS)
          .execute(() -> super.write(mutations, times, client));
      return check();
    }
  }

  /** Counts writes, not columns. */
  static final class CountedTwice extends FlawedWrites {
    private final Map<RowKey, Integer> written = new ConcurrentHashMap<>();

    CountedTwice(WideColumnStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<Void> write(List<Mutation> mutations, FirstTimes times, Object client) {
      mutations.forEach(m -> written.merge(m.row(), m.columns().size(), Integer::sum));
      return super.write(mutations, times, client);
    }

    @Override
    public CompletionStage<RowCounts> count(CountQuery query) {
      long columns = written.getOrDefault(query.row(), 0);
      return super.count(query)
          .thenApply(counts -> new RowCounts(columns, counts.bytes(), counts.columnsByStep()));
    }
  }

  /** Leaves columns without a text out of each write, before the larger payload wins. */
  static final class SearchedOneByOne extends FlawedWrites {
    private final List<Mutation> written = new ArrayList<>();

    SearchedOneByOne(WideColumnStore sound) {
      super(sound);
    }

    @Override
    public synchronized CompletionStage<Void> write(
        List<Mutation> mutations, FirstTimes times, Object client) {
      written.addAll(mutations);
      return super.write(mutations, times, client);
    }

    @Override
    public synchronized CompletionStage<Slice> slice(SliceQuery query) {
      SliceQuery.Filter filter = query.filter();
      if (filter == null || filter.fields().texts().isEmpty()) {
        return super.slice(query);
      }
      OracleStore matching = new OracleStore();
      for (Mutation mutation : written) {
        Columns columns = mutation.columns();
        for (int i = 0; i < columns.size(); i++) {
          if (!filter.range().contains(columns.id(i)) || filter.fields().mayMatch(columns, i)) {
            matching.write(List.of(new Mutation(mutation.row(), columns.subColumns(i, i + 1))));
          }
        }
      }
      return matching.slice(query);
    }
  }

  static final class NotDropped extends FlawedWrites {
    NotDropped(WideColumnStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<Void> drop(Hour hour) {
      return check();
    }
  }

  static final class DroppedWithTheOthers extends FlawedWrites {
    DroppedWithTheOthers(WideColumnStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<Void> drop(TypeHour typeHour) {
      return drop(typeHour.hour());
    }
  }

  static final class SilentAboutDrops extends FlawedWrites {
    SilentAboutDrops(WideColumnStore sound) {
      super(sound);
    }

    @Override
    public CompletionStage<DroppedHours> dropped(Hour from, Hour to) {
      return super.dropped(from, to).thenApply(all -> DroppedHours.NONE);
    }
  }

  static final class NeverClosed extends FlawedWrites {
    NeverClosed(WideColumnStore sound) {
      super(sound);
    }

    @Override
    public void close() {}
  }
}
