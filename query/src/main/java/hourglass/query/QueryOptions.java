package hourglass.query;

/**
 * Limits of the query service. Immutable; see {@link Builder} for the defaults.
 *
 * @param fanOut slices and counts of one query that the store reads at a time; up to eight times as
 *     many for small slices
 * @param sliceColumns columns of one slice at most
 * @param bufferBytes payload bytes of the slices of one query, estimated by the averages in the
 *     directory: two slices for a row that is being read, one for a prefetched row. Prefetched
 *     hours may hold a quarter as much
 * @param chunkBytes the size of the chunks of a body
 * @param chunks chunks of one answer that are filled or being sent; an answer with a limit that
 *     fits into them carries its facts in headers
 * @param limit events of a page without a limit
 * @param lookAheadColumns columns that a query with a filter reads beyond its page to find the next
 *     event. If it finds none in them, the answer has a cursor anyway
 * @param concurrentQueries queries that work at a time; others wait, or are refused with 429
 * @param answerBytes memory of all answers under way together
 * @param buckets counts of one {@code /hits} answer, over all series
 * @param rows rows of one {@code /rows} answer
 * @param statsBytes approximate memory of one {@code /stats}
 * @param topBytes approximate memory of one {@code /top}; its counts are exact while all values fit
 * @param claims hours and types whose claims one {@code /rows} answer reads
 * @param claimsTimeoutMillis how long such an answer waits for all of them together
 * @param storeTimeoutMillis how long one call of the store may take
 * @param stallTimeoutMillis how long a client may leave an answer unread before it is cut off
 * @param bounds the bounds on the cost of one query
 * @param layout the intended sizes of rows, for {@code /rows}
 */
public record QueryOptions(
    int fanOut,
    int sliceColumns,
    int bufferBytes,
    int chunkBytes,
    int chunks,
    int limit,
    int lookAheadColumns,
    int concurrentQueries,
    long answerBytes,
    int buckets,
    int rows,
    int statsBytes,
    int topBytes,
    int claims,
    long claimsTimeoutMillis,
    long storeTimeoutMillis,
    long stallTimeoutMillis,
    QueryBounds bounds,
    RowLayout layout) {

  public QueryOptions {
    check("fanOut", fanOut, 1, 1024);
    check("sliceColumns", sliceColumns, 1, 1 << 20);
    check("bufferBytes", bufferBytes, 1 << 10, 1 << 30);
    check("chunkBytes", chunkBytes, 1 << 10, 1 << 24);
    check("chunks", chunks, 2, 256);
    check("limit", limit, 1, 1_000_000);
    check("lookAheadColumns", lookAheadColumns, 0, 1 << 30);
    check("concurrentQueries", concurrentQueries, 1, 10_000);
    check("answerBytes", answerBytes, 1 << 20, 1L << 40);
    check("buckets", buckets, 1, 10_000_000);
    check("rows", rows, 1, 10_000_000);
    check("statsBytes", statsBytes, 1 << 12, 1 << 30);
    check("topBytes", topBytes, 1 << 12, 1 << 30);
    check("claims", claims, 0, 10_000);
    check("claimsTimeoutMillis", claimsTimeoutMillis, 1, 3_600_000);
    check("storeTimeoutMillis", storeTimeoutMillis, 1, 3_600_000);
    check("stallTimeoutMillis", stallTimeoutMillis, 1, 86_400_000);
  }

  private static void check(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "query option " + name + ": " + value + ", want " + min + " to " + max);
    }
  }

  public QueryOptions withBounds(QueryBounds others) {
    return new Builder(this).bounds(others).build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The defaults, with their reasons. Not thread-safe. */
  public static final class Builder {
    private int fanOut = 8;

    /** The most columns in a page of the embedded engine, so that each page is unpacked once. */
    private int sliceColumns = 8192;

    /**
     * Slices of 2,200 columns of 170 B, at least a page each, while 6 rows are read and 8
     * prefetched.
     */
    private int bufferBytes = 8 << 20;

    /** A chunk stays in a core's cache. Larger writes gain nothing. */
    private int chunkBytes = 128 << 10;

    private int chunks = 8;
    private int limit = 1000;
    private int lookAheadColumns = 100_000;

    private int concurrentQueries = 16;

    /** A third of the heap: as much as pages take, and more than requests in flight. */
    private long answerBytes = 256 << 20;

    private int buckets = 100_000;
    private int rows = 100_000;

    /** Some hundred types with a few thousand distinct numbers each. */
    private int statsBytes = 8 << 20;

    /** Some 60,000 distinct values of 20 bytes. */
    private int topBytes = 8 << 20;

    /** One small read each; at the fan-out above, about a second together. */
    private int claims = 200;

    /** Many times the usual duration, and still short for an interactive user. */
    private long claimsTimeoutMillis = 2_000;

    private long storeTimeoutMillis = 30_000;
    private long stallTimeoutMillis = 600_000;
    private QueryBounds bounds = QueryBounds.DEFAULTS;
    private RowLayout layout = RowLayout.DEFAULTS;

    private Builder() {}

    private Builder(QueryOptions from) {
      fanOut = from.fanOut;
      sliceColumns = from.sliceColumns;
      bufferBytes = from.bufferBytes;
      chunkBytes = from.chunkBytes;
      chunks = from.chunks;
      limit = from.limit;
      lookAheadColumns = from.lookAheadColumns;
      concurrentQueries = from.concurrentQueries;
      answerBytes = from.answerBytes;
      buckets = from.buckets;
      rows = from.rows;
      statsBytes = from.statsBytes;
      topBytes = from.topBytes;
      claims = from.claims;
      claimsTimeoutMillis = from.claimsTimeoutMillis;
      storeTimeoutMillis = from.storeTimeoutMillis;
      stallTimeoutMillis = from.stallTimeoutMillis;
      bounds = from.bounds;
      layout = from.layout;
    }

    public Builder fanOut(int value) {
      fanOut = value;
      return this;
    }

    public Builder sliceColumns(int value) {
      sliceColumns = value;
      return this;
    }

    public Builder bufferBytes(int value) {
      bufferBytes = value;
      return this;
    }

    public Builder chunkBytes(int value) {
      chunkBytes = value;
      return this;
    }

    public Builder chunks(int value) {
      chunks = value;
      return this;
    }

    public Builder limit(int value) {
      limit = value;
      return this;
    }

    public Builder lookAheadColumns(int value) {
      lookAheadColumns = value;
      return this;
    }

    public Builder concurrentQueries(int value) {
      concurrentQueries = value;
      return this;
    }

    public Builder answerBytes(long value) {
      answerBytes = value;
      return this;
    }

    public Builder buckets(int value) {
      buckets = value;
      return this;
    }

    public Builder rows(int value) {
      rows = value;
      return this;
    }

    public Builder statsBytes(int value) {
      statsBytes = value;
      return this;
    }

    public Builder topBytes(int value) {
      topBytes = value;
      return this;
    }

    public Builder storeTimeoutMillis(long value) {
      storeTimeoutMillis = value;
      return this;
    }

    public Builder stallTimeoutMillis(long value) {
      stallTimeoutMillis = value;
      return this;
    }

    public Builder claims(int value) {
      claims = value;
      return this;
    }

    public Builder claimsTimeoutMillis(long value) {
      claimsTimeoutMillis = value;
      return this;
    }

    public Builder bounds(QueryBounds value) {
      bounds = value;
      return this;
    }

    public Builder layout(RowLayout value) {
      layout = value;
      return this;
    }

    public QueryOptions build() {
      return new QueryOptions(
          fanOut,
          sliceColumns,
          bufferBytes,
          chunkBytes,
          chunks,
          limit,
          lookAheadColumns,
          concurrentQueries,
          answerBytes,
          buckets,
          rows,
          statsBytes,
          topBytes,
          claims,
          claimsTimeoutMillis,
          storeTimeoutMillis,
          stallTimeoutMillis,
          bounds,
          layout);
    }
  }
}
