package hourglass.query;

import static hourglass.query.QueryBounds.check;

import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * Limits of the query service. Immutable.
 *
 * @param fanOut parallel reads of one query; up to eight times as many for small slices
 * @param bufferBytes estimated payload bytes of the slices of one query: two for each current row,
 *     one for a prefetched row. Prefetched hours may hold a quarter as much
 * @param chunks chunks of one answer; one with a limit that fits into them has its facts in headers
 * @param limit events of a page without a limit
 * @param lookAheadColumns columns that a query with a filter reads beyond its page. If they have no
 *     further event, the answer has a cursor anyway
 * @param concurrentQueries queries at the same time; others wait, or are refused with 429
 * @param answerBytes memory of all answers under way together
 * @param buckets counts of one {@code /hits} answer, over all series
 * @param statsBytes approximate memory of one {@code /stats}
 * @param topBytes approximate memory of one {@code /top}; its counts are exact while all values fit
 * @param claims hours and types whose claims one {@code /rows} answer reads
 * @param claimsTimeoutMillis for all claims of an answer together
 * @param stallTimeoutMillis the longest time for which a client may leave an answer unread
 * @param logSlowerThanMillis queries that take longer are written to the log; 0: none
 */
@RecordBuilder
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
    long logSlowerThanMillis,
    QueryBounds bounds,
    RowLayout layout) {

  public static final QueryOptions DEFAULTS =
      QueryOptionsBuilder.builder()
          .fanOut(8)
          // The most columns in a page of the embedded engine, so that each page is unpacked once.
          .sliceColumns(8192)
          // Slices of 2,200 columns of 170 B, at least a page each, while 6 rows are read and 8
          // prefetched.
          .bufferBytes(8 << 20)
          // A chunk stays in a core's cache. Larger writes gain nothing.
          .chunkBytes(128 << 10)
          .chunks(8)
          .limit(1000)
          .lookAheadColumns(100_000)
          .concurrentQueries(16)
          // A third of the heap: as much as pages use, and more than requests in flight.
          .answerBytes(256 << 20)
          .buckets(100_000)
          .rows(100_000)
          // About a hundred types with a few thousand distinct numbers each.
          .statsBytes(8 << 20)
          // About 120,000 distinct values of 20 bytes.
          .topBytes(8 << 20)
          // One small read each, which together take about a second at the fan-out above.
          .claims(200)
          // Many times the usual duration, and still short for an interactive user.
          .claimsTimeoutMillis(2_000)
          .storeTimeoutMillis(30_000)
          .stallTimeoutMillis(600_000)
          .logSlowerThanMillis(5_000)
          .bounds(QueryBounds.DEFAULTS)
          .layout(RowLayout.DEFAULTS)
          .build();

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
    check("logSlowerThanMillis", logSlowerThanMillis, 0, 604_800_000);
  }

  public QueryOptions withBounds(QueryBounds others) {
    return QueryOptionsBuilder.builder(this).bounds(others).build();
  }

  public static QueryOptionsBuilder builder() {
    return QueryOptionsBuilder.builder(DEFAULTS);
  }
}
