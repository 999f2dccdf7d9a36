package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.NameRanges;
import hourglass.store.rows.MinuteCounts;
import org.jspecify.annotations.Nullable;

/**
 * The entry of a page.
 *
 * @param group the newest log group of its columns
 * @param names null for pages of several columns that were listed without their names
 */
public record PageMeta(
    RowKey row,
    long number,
    long file,
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
    implements FileEntry {

  public PageMeta {
    last = last.equals(first) ? first : last; // with many types, most pages have one column
    names = count == 1 ? null : names;
  }

  @Override
  public @Nullable NameRanges names() {
    return count == 1 ? NameRanges.of(first) : names;
  }

  /** Returns the entry of a copy. */
  PageMeta at(long otherFile, long otherPosition) {
    return new PageMeta(
        row,
        number,
        otherFile,
        otherPosition,
        storedBytes,
        checksum,
        count,
        payloadBytes,
        first,
        last,
        group,
        minutes,
        names);
  }

  @Override
  public String describe() {
    return "page " + number + " of " + row;
  }
}
