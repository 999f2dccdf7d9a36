package hourglass.store.cassandra.rows;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import hourglass.bucketing.RowKey;
import hourglass.store.rows.PartIndex;
import org.jspecify.annotations.Nullable;

/** A bounded cache of the heads of the pages of sealed rows of all tables. Thread-safe. */
public final class HeadCache {
  /** The heads of some 20 million events, or 8 million messages, with their indexes. */
  private static final long BYTES_MAX = 64L << 20;

  /**
   * A row's pages by the number of their seal. Seals have different numbers, and the pages of one
   * are in one table.
   */
  private record Key(RowKey row, long seal) {}

  private final Cache<Key, PartIndex<PagePart>> heads =
      Caffeine.newBuilder()
          .maximumWeight(BYTES_MAX)
          .weigher((Key key, PartIndex<PagePart> pages) -> memory(pages))
          .executor(Runnable::run)
          .build();

  @Nullable PartIndex<PagePart> get(RowKey row, long seal) {
    return heads.getIfPresent(new Key(row, seal));
  }

  void put(RowKey row, long seal, PartIndex<PagePart> pages) {
    heads.put(new Key(row, seal), pages);
  }

  private static int memory(PartIndex<PagePart> pages) {
    return Math.toIntExact(pages.parts().stream().mapToLong(PagePart::memoryBytes).sum());
  }
}
