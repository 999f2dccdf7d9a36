package hourglass.ingest.service;

import hourglass.ingest.decode.Reason;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rejected items of a request by reason. Items with equal reasons share one entry, which
 * contains their number and the indexes of the first of them. Not thread-safe.
 *
 * <p>A reason that names a value differs for each value. So only the first {@link
 * #TEXTS_OF_KIND_MAX} of a kind get entries of their own, and the others share the entry of the
 * kind. Every rejected item is counted in exactly one entry.
 */
public final class FoldedErrors {
  /** The most entries of an answer. */
  public static final int REASONS_MAX = 100;

  /** The most indexes of an entry: with {@link #REASONS_MAX} entries, they use 40 KB in all. */
  public static final int INDEXES_MAX = 100;

  static final int TEXTS_OF_KIND_MAX = 20;

  /**
   * The most entries with a text of their own. Each kind has one more entry, for its further texts.
   */
  private static final int TEXTS_MAX = REASONS_MAX - Reason.values().length;

  /** The items that get a text each. A flood beyond them is only counted. */
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

    /** Returns the reason, for the sender to read. */
    public String reason() {
      return reason;
    }

    /** Returns the number of items, which may exceed that of the indexes. */
    public int count() {
      return count;
    }

    /** Returns the places of the first items in the request, from 0; ascending. */
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

  /** Returns the entries in the order of their first items. */
  Collection<Entry> entries() {
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
