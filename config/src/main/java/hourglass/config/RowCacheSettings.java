package hourglass.config;

import hourglass.store.cassandra.cache.RowCache;

/** The key of the {@link RowCache}. */
final class RowCacheSettings {
  /** The engine decides. */
  private static final long AUTO_BYTES = -1;

  /** Some ten million events of sealed hours; memory is touched only as it fills. */
  private static final long CASSANDRA_BYTES = 256L << 20;

  static final Setting<Long> ROW_CACHE =
      new Setting<>(
          "query.row-cache",
          Kinds.or("auto", AUTO_BYTES, Kinds.bytes(0, 1L << 40)),
          AUTO_BYTES,
          "Memory outside of the heap for rows of past hours, so that they are read once; 0: none;"
              + " auto: "
              + Quantity.showBytes(CASSANDRA_BYTES)
              + " with Cassandra, none with the embedded store, which has its own pages at hand.");

  private RowCacheSettings() {}

  /** 0: no cache. */
  static long read(SettingsReader reader, StoreOptions store) {
    long bytes = reader.get(ROW_CACHE);
    if (bytes == AUTO_BYTES) {
      return store instanceof StoreOptions.Cassandra ? CASSANDRA_BYTES : 0;
    }
    if (bytes != 0 && bytes < RowCache.BYTES_MIN) {
      reader.refuse(ROW_CACHE, "0, or at least " + Quantity.showBytes(RowCache.BYTES_MIN));
    }
    return bytes;
  }
}
