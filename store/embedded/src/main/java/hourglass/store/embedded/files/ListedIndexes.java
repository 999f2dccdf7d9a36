package hourglass.store.embedded.files;

import hourglass.store.FieldFilter;
import hourglass.store.pages.PageCodec;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.store.rows.KnownValueIndex;
import hourglass.store.rows.ValueIndex;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The value indexes that an inventory lists, and where pages are in them. Many threads may read,
 * one at a time may write.
 */
final class ListedIndexes {
  private static final ThreadLocal<LastFound> LAST = ThreadLocal.withInitial(LastFound::new);

  private final Source source;

  /** By their own numbers. */
  private final Map<Long, Listed> indexes = new ConcurrentHashMap<>();

  /** By the numbers of live pages. */
  private final Map<Long, Place> places = new ConcurrentHashMap<>();

  private record Listed(IndexMeta meta, KnownValueIndex values) {}

  /** Where a page is in an index. */
  private record Place(Listed index, int place) {}

  /** What an index tells of a page; {@code UNKNOWN} if it is in none. */
  enum Answer {
    MAY_MATCH,
    MATCHES_NOT,
    UNKNOWN
  }

  /** Gives the bytes of an index to a reader. */
  interface Source {
    BitSet read(IndexMeta index, Function<PageBytes, BitSet> reader);
  }

  ListedIndexes(Source source) {
    this.source = source;
  }

  /** Adds an index after its pages. */
  void add(IndexMeta meta, LongPredicate isLive) {
    Listed index = new Listed(meta, new KnownValueIndex(meta.checksum(), meta.pages().size()));
    for (int i = 0; i < meta.pages().size(); i++) {
      if (isLive.test(meta.pages().get(i))) {
        places.put(meta.pages().get(i), new Place(index, i));
      }
    }
    indexes.put(meta.number(), index);
  }

  /** Removes a page. Returns the index that ends with it; null if none does. */
  @Nullable IndexMeta remove(long page) {
    Place place = places.remove(page);
    if (place == null || !hasNoPages(place.index())) {
      return null;
    }
    IndexMeta ended = place.index().meta();
    indexes.remove(ended.number());
    return ended;
  }

  /** Forgets all other pages, and indexes of maps that are missing. */
  void retain(Set<Long> pages, Set<Integer> generationsMissing) {
    places.keySet().retainAll(pages);
    places
        .values()
        .removeIf(place -> generationsMissing.contains(place.index().meta().generation()));
    indexes.values().removeIf(this::hasNoPages);
  }

  private boolean hasNoPages(Listed index) {
    return index.meta().pages().stream().noneMatch(places::containsKey);
  }

  List<IndexMeta> metas() {
    return indexes.values().stream().map(Listed::meta).toList();
  }

  int size() {
    return indexes.size();
  }

  /** Whether a column of a page may match. */
  Answer answer(PageMeta page, FieldFilter filter, PageCodec codec) {
    Place place = places.get(page.number());
    if (place == null) {
      return Answer.UNKNOWN;
    }
    BitSet found = LAST.get().find(place.index(), filter, codec, source);
    return found.get(place.place()) ? Answer.MAY_MATCH : Answer.MATCHES_NOT;
  }

  /** Frees what was read of the indexes. */
  void forget() {
    indexes.values().forEach(index -> index.values().forget());
  }

  /** What a thread found last, since the pages of an index are asked for one after another. */
  private static final class LastFound {
    private final ValueIndex reader = new ValueIndex();
    private @Nullable KnownValueIndex values;
    private @Nullable FieldFilter filter;
    private @Nullable BitSet found;

    BitSet find(Listed asked, FieldFilter by, PageCodec codec, Source source) {
      BitSet known = asked.values() == values && by == filter ? found : null;
      if (known == null) {
        known =
            asked
                .values()
                .find(codec.requiredHashes(by), reader, read -> source.read(asked.meta(), read));
        values = asked.values();
        filter = by;
        found = known;
      }
      return known;
    }
  }
}
