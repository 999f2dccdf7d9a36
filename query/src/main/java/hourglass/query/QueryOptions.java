package hourglass.query;

/**
 * Limits of the query service. Immutable; see {@link Builder} for the defaults.
 *
 * @param fanOut slices and counts of one query under way in the store at a time; of slices that
 *     bring little, up to eight times as many
 * @param sliceColumns columns of one slice at most
 * @param bufferBytes payload bytes that one query holds in slices, by the averages that the
 *     directory gives: two slices of a row that is walked, one of a row that is opened ahead; a
 *     quarter as much of the hours that follow
 * @param chunkBytes the size of the chunks that a body is written in
 * @param chunks chunks of one answer that are filled or on their way to the client; an answer with
 *     a limit that fits into them carries its facts in headers
 * @param limit events of a page that names no limit
 * @param lookAheadColumns columns read behind the end of a page with {@code contains} or {@code
 *     where} to learn whether it has a successor; beyond them it is said to have one
 * @param concurrentQueries queries under way at a time; more are refused with 429
 * @param answerBytes memory that all answers under way hold together
 * @param buckets counts of one {@code /hits} answer, over all series
 * @param rows rows of one {@code /rows} answer
 * @param statsBytes what one {@code /stats} may take to sum numbers up, roughly
 * @param topBytes what one {@code /top} may take to count values, roughly; its counts are exact
 *     while all values fit
 * @param claims hours and types whose claims one {@code /rows} answer reads
 * @param claimsTimeoutMillis how long such an answer waits for all of them together
 * @param storeTimeoutMillis how long one call of the store may take
 * @param stallTimeoutMillis how long a client may leave an answer unread until it is cut off
 * @param bounds what one query may cost
 * @param layout how wide rows are meant to be, for {@code /rows}
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

  /** The same with other bounds. */
  public QueryOptions withBounds(QueryBounds others) {
    return new Builder(this).bounds(others).build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The defaults, each with its reason. Not thread-safe. */
  public static final class Builder {
    private int fanOut = 8;

    /** As many as a page of the embedded engine has, so that each is unpacked once. */
    private int sliceColumns = 8192;

    /** Slices of 2,200 columns of 170 B where 6 rows are walked and 8 opened ahead: a page each. */
    private int bufferBytes = 8 << 20;

    /** Fewer, larger writes gain nothing beyond that, and it stays in a core's cache. */
    private int chunkBytes = 128 << 10;

    private int chunks = 8;
    private int limit = 1000;
    private int lookAheadColumns = 100_000;

    private int concurrentQueries = 16;

    /** A third of the heap: as much as pages take, and more than requests in flight. */
    private long answerBytes = 256 << 20;

    private int buckets = 100_000;
    private int rows = 100_000;

    /** Some hundred types of a few thousand different numbers each. */
    private int statsBytes = 8 << 20;

    /** Some 60,000 different values of 20 bytes. */
    private int topBytes = 8 << 20;

    /** A small read each; a second or so together, at the fan-out above. */
    private int claims = 200;

    /**
     * Many times what they take when all is well; whoever looks at rows has not much more patience.
     */
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
