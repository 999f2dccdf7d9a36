package hourglass.store.erasure;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Names in place of erased ones in a record of late arrivals. A reader may stop in the middle of a
 * record, and goes on from the number of names that it has read. So a record keeps their number and
 * their order.
 *
 * <pre>
 * kept P, erased, erased, kept N    P, P+1, P+2, N
 * erased, erased, kept N            N-2, N-1, N
 * erased, erased                    the first two names of their hour
 * </pre>
 *
 * <p>Names that are erased are passed over, also those of later erasures. There is always room,
 * since the erased names were in the same place. If they filled it without a gap, a placeholder is
 * an erased name itself, which its neighbours tell anyway.
 */
public final class Placeholders {
  /** Tells which names are erased. */
  public interface ErasedNames {
    boolean contains(long ticks, long lsb);
  }

  private Placeholders() {}

  /**
   * Returns as many names in their order, with placeholders in place of those that are erased; the
   * same object if nothing changes.
   *
   * @param names of one hour
   */
  public static Columns replace(Columns names, ErasedNames erased) {
    Fill fill = new Fill(names, erased);
    for (int from = 0; from < names.size(); ) {
      int to = from;
      while (to < names.size() && fill.isErased(to)) {
        to++;
      }
      if (to > from) {
        fill.replace(from, to);
      }
      from = to + 1;
    }
    return fill.isSame() ? names : fill.columns();
  }

  /** The names of a record, some of which are replaced. */
  private static final class Fill {
    private final Columns names;
    private final ErasedNames erased;
    private final long[] ticks;
    private final long[] lsbs;

    Fill(Columns names, ErasedNames erased) {
      this.names = names;
      this.erased = erased;
      ticks = IntStream.range(0, names.size()).mapToLong(names::ticks).toArray();
      lsbs = IntStream.range(0, names.size()).mapToLong(names::lsb).toArray();
    }

    boolean isErased(int i) {
      return erased.contains(names.ticks(i), names.lsb(i));
    }

    /** Replaces the names in {@code [from, to)}, between two that are kept, or an end. */
    void replace(int from, int to) {
      int size = names.size();
      if (from > 0) {
        TimeUuid end = to < size ? names.id(to) : null;
        if (!ascend(names.id(from - 1).successor(), end, from, to, true)) {
          ascend(names.id(from - 1).successor(), end, from, to, false);
        }
      } else if (to < size) {
        descend(names.id(to), to);
      } else {
        TimeUuid first = TimeUuid.first(Hour.ofTicks(names.ticks(0)).startTicks());
        ascend(first, null, from, to, true);
      }
    }

    /** Fills a gap from its beginning; false if it is too small to pass over erased names. */
    private boolean ascend(
        TimeUuid first, @Nullable TimeUuid end, int from, int to, boolean passesOver) {
      TimeUuid name = first;
      for (int at = from; at < to; name = name.successor()) {
        if (end != null && name.compareTo(end) >= 0) {
          return false;
        }
        if (!passesOver || !erased.contains(name.ticks(), name.lsb())) {
          put(at++, name);
        }
      }
      return true;
    }

    private void descend(TimeUuid kept, int count) {
      TimeUuid name = kept;
      for (int at = count - 1; at >= 0; ) {
        name = name.predecessor();
        if (!erased.contains(name.ticks(), name.lsb())) {
          put(at--, name);
        }
      }
    }

    private void put(int at, TimeUuid name) {
      ticks[at] = name.ticks();
      lsbs[at] = name.lsb();
    }

    boolean isSame() {
      return IntStream.range(0, ticks.length)
          .allMatch(i -> names.ticks(i) == ticks[i] && names.lsb(i) == lsbs[i]);
    }

    Columns columns() {
      return Columns.ofNames(ticks, lsbs, ticks.length);
    }
  }
}
