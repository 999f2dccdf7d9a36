package hourglass.store.erasure;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import java.util.stream.IntStream;

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
 * <p>There is always room, since the erased names were in the same place. If they followed each
 * other without a gap, a placeholder is an erased name itself, which its neighbours tell anyway.
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
    int size = names.size();
    long[] ticks = new long[size];
    long[] lsbs = new long[size];
    int kept = -1; // the last name so far that is not erased
    for (int i = 0; i < size; i++) {
      TimeUuid name = names.id(i);
      if (!erased.contains(name.ticks(), name.lsb())) {
        if (kept < 0) {
          fillBefore(name, i, ticks, lsbs);
        }
        kept = i;
      } else if (kept >= 0) {
        name = new TimeUuid(ticks[i - 1], lsbs[i - 1]).successor();
      } else {
        continue; // filled from the first name that is kept
      }
      ticks[i] = name.ticks();
      lsbs[i] = name.lsb();
    }
    if (kept < 0 && size > 0) {
      fillFrom(TimeUuid.first(Hour.ofTicks(names.ticks(0)).startTicks()), ticks, lsbs);
    }
    return isSame(names, ticks, lsbs) ? names : Columns.ofNames(ticks, lsbs, size);
  }

  private static boolean isSame(Columns names, long[] ticks, long[] lsbs) {
    return IntStream.range(0, ticks.length)
        .allMatch(i -> names.ticks(i) == ticks[i] && names.lsb(i) == lsbs[i]);
  }

  private static void fillBefore(TimeUuid kept, int count, long[] ticks, long[] lsbs) {
    TimeUuid name = kept;
    for (int i = count - 1; i >= 0; i--) {
      name = name.predecessor();
      ticks[i] = name.ticks();
      lsbs[i] = name.lsb();
    }
  }

  private static void fillFrom(TimeUuid first, long[] ticks, long[] lsbs) {
    TimeUuid name = first;
    for (int i = 0; i < ticks.length; i++) {
      ticks[i] = name.ticks();
      lsbs[i] = name.lsb();
      name = name.successor();
    }
  }
}
