package hourglass.store.rows;

import hourglass.store.FieldFilter;
import hourglass.store.pages.PageCodec;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Asks indexes for the pages that a filter leaves. It keeps the last answer, since a query asks for
 * the pages of an index one after another. Each thread has one.
 */
public final class ValueIndexReader {
  private static final ThreadLocal<ValueIndexReader> READER =
      ThreadLocal.withInitial(ValueIndexReader::new);

  private final ValueIndex reader = new ValueIndex();
  private @Nullable KnownValueIndex index;
  private @Nullable FieldFilter filter;
  private @Nullable BitSet found;

  private ValueIndexReader() {}

  /** Returns the reader of this thread. */
  public static ValueIndexReader ofThread() {
    return READER.get();
  }

  /**
   * Finds the pages that may have a column which passes the filter. The set must not be changed.
   *
   * @throws hourglass.store.CorruptException if a part of the index that is read is damaged
   */
  public BitSet find(
      KnownValueIndex asked, FieldFilter by, PageCodec codec, KnownValueIndex.Source source) {
    BitSet known = index == asked && filter == by ? found : null;
    if (known == null) {
      known = asked.find(by, codec, reader, source);
      index = asked;
      filter = by;
      found = known;
    }
    return known;
  }
}
