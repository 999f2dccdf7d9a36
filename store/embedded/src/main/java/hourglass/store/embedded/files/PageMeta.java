package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.NameRanges;
import hourglass.store.rows.MinuteCounts;
import org.jspecify.annotations.Nullable;

/**
 * The inventory entry of a page.
 *
 * @param group the newest log group of its columns
 * @param names null for pages of several columns that were listed without their names
 */
public record PageMeta(
    RowKey row,
    long number,
    int generation,
    long position,
    int storedBytes,
    int checksum,
    int count,
    long payloadBytes,
    TimeUuid first,
    TimeUuid last,
    long group,
    MinuteCounts minutes,
    @Nullable NameRanges names)
    implements MapEntry {

  public PageMeta {
    last = last.equals(first) ? first : last; // with many types, most pages have one column
    names = count == 1 ? null : names;
  }

  @Override
  public @Nullable NameRanges names() {
    return count == 1 ? NameRanges.of(first) : names;
  }

  @Override
  public String describe() {
    return "page " + number + " of " + row;
  }
}
