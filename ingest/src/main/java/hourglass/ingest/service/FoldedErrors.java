package hourglass.ingest.service;

import hourglass.ingest.decode.Reason;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rejected items of a request by reason. Items with equal reasons are one entry, which has
 * their number and the indexes of the first of them. Not thread-safe.
 *
 * <p>A reason that names a value is another one for each value. So only the first {@link
 * #TEXTS_OF_KIND_MAX} of a kind are entries of their own, and the others share the entry of the
 * kind. Every rejected item is counted in one entry.
 */
public final class FoldedErrors {
  /** Entries of an answer. */
  public static final int REASONS_MAX = 100;

  /** Indexes of an entry: with {@link #REASONS_MAX} entries, all of them take 40 KB. */
  public static final int INDEXES_MAX = 100;

  static final int TEXTS_OF_KIND_MAX = 20;

  /** Entries with a text of their own; each kind has one entry besides, for its further texts. */
  private static final int TEXTS_MAX = REASONS_MAX - Reason.values().length;

  /** A flood is counted without a text for each item. */
  private static final int EXPLAINED_MAX = 10_000;

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Map<Reason, Integer> textsOfKind = new EnumMap<>(Reason.class);
  private int texts;
  private int items;

  /** The items with one reason. */
  public static final class Entry {
    private final String reason;
    private int[] indexes = new int[1];
    private int count;

    private Entry(String reason) {
      this.reason = reason;
    }

    /** The reason, for the sender to read. */
    public String reason() {
      return reason;
    }

    /** The number of items, which may exceed that of the indexes. */
    public int count() {
      return count;
    }

    /** The places of the first items in the request, from 0; ascending. */
    public int[] indexes() {
      return Arrays.copyOf(indexes, Math.min(count, INDEXES_MAX));
    }

    private void add(int index) {
      if (count < INDEXES_MAX) {
        if (count == indexes.length) {
          indexes = Arrays.copyOf(indexes, Math.min(INDEXES_MAX, 2 * count));
        }
        indexes[count] = index;
      }
      count++;
    }
  }

  FoldedErrors() {}

  /** The entries in the order of their first items. */
  public Collection<Entry> entries() {
    return entries.values();
  }

  boolean explainsNext() {
    return items < EXPLAINED_MAX;
  }

  void add(int index, Reason kind, String text) {
    items++;
    String known = entries.containsKey(text) || isNewText(kind, text) ? text : kind.text();
    entries.computeIfAbsent(known, Entry::new).add(index);
  }

  private boolean isNewText(Reason kind, String text) {
    if (text.equals(kind.text())) {
      return true;
    }
    if (texts == TEXTS_MAX || textsOfKind.getOrDefault(kind, 0) == TEXTS_OF_KIND_MAX) {
      return false;
    }
    texts++;
    textsOfKind.merge(kind, 1, Integer::sum);
    return true;
  }
}
