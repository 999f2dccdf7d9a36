package hourglass.store.embedded.files;

import hourglass.store.FieldFilter;
import hourglass.store.pages.PageCodec;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.store.rows.KnownValueIndex;
import hourglass.store.rows.ValueIndexReader;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The value indexes of an hour, and the places of pages in them. Many threads may read, one at a
 * time may write.
 */
final class ListedIndexes {
  private final Source source;

  /** The indexes by their numbers. */
  private final Map<Long, Listed> indexes = new ConcurrentHashMap<>();

  /** The places of live pages by the numbers of the pages. */
  private final Map<Long, Place> places = new ConcurrentHashMap<>();

  private record Listed(IndexMeta meta, KnownValueIndex values) {}

  /** The place of a page in an index. */
  private record Place(Listed index, int place) {}

  /** The answer of an index for a page; {@code UNKNOWN} if the page is in none. */
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

  /** Adds an index, or its copy in another place. Its pages must have been added before. */
  void add(IndexMeta meta, LongPredicate isLive) {
    Listed before = indexes.get(meta.number());
    KnownValueIndex values =
        before == null
            ? new KnownValueIndex(meta.checksum(), meta.pages().size())
            : before.values();
    Listed index = new Listed(meta, values);
    for (int i = 0; i < meta.pages().size(); i++) {
      if (isLive.test(meta.pages().get(i))) {
        places.put(meta.pages().get(i), new Place(index, i));
      }
    }
    indexes.put(meta.number(), index);
  }

  /** Removes a page, and the index of which it was the last page. Returns that index, or null. */
  @Nullable IndexMeta remove(long page) {
    Place place = places.remove(page);
    if (place == null || !hasNoPages(place.index())) {
      return null;
    }
    IndexMeta ended = place.index().meta();
    indexes.remove(ended.number());
    return ended;
  }

  /** Keeps only the given pages, and the indexes that have one of them. */
  void retain(Set<Long> pages) {
    places.keySet().retainAll(pages);
    indexes.values().removeIf(this::hasNoPages);
  }

  /** Returns the indexes that have no pages but these. */
  List<IndexMeta> ofOnly(Set<Long> pages) {
    return indexes.values().stream()
        .map(Listed::meta)
        .filter(
            meta ->
                meta.pages().stream()
                    .allMatch(page -> pages.contains(page) || !places.containsKey(page)))
        .toList();
  }

  private boolean hasNoPages(Listed index) {
    return index.meta().pages().stream().noneMatch(places::containsKey);
  }

  List<IndexMeta> metas() {
    return indexes.values().stream().map(Listed::meta).toList();
  }

  /** Whether a column of a page may match. */
  Answer answer(PageMeta page, FieldFilter filter, PageCodec codec) {
    Place place = places.get(page.number());
    if (place == null) {
      return Answer.UNKNOWN;
    }
    boolean mayMatch = find(place.index(), filter, codec).get(place.place());
    return mayMatch ? Answer.MAY_MATCH : Answer.MATCHES_NOT;
  }

  /** Passes on the live pages of which a column may match. Those in no index may. */
  void mayMatch(Set<Long> live, FieldFilter filter, PageCodec codec, LongConsumer sink) {
    for (Listed index : indexes.values()) {
      List<Long> pages = index.meta().pages();
      find(index, filter, codec).stream().mapToLong(pages::get).forEach(sink);
    }
    if (live.size() > places.size()) {
      live.stream().filter(page -> !places.containsKey(page)).forEach(sink::accept);
    }
  }

  /** Frees the memory of all parts of the indexes that were read. */
  void forget() {
    indexes.values().forEach(index -> index.values().forget());
  }

  private BitSet find(Listed index, FieldFilter filter, PageCodec codec) {
    return ValueIndexReader.ofThread()
        .find(index.values(), filter, codec, read -> source.read(index.meta(), read));
  }
}
