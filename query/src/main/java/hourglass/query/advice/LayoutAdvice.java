package hourglass.query.advice;

import com.google.errorprone.annotations.FormatMethod;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bytes.Json;
import hourglass.query.RowLayout;
import hourglass.query.advice.RowsReport.Proposal;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Proposes a setting that fits the traffic of a type better, by the rules in docs/hot-spots.md. The
 * thresholds leave a layout slightly below the best alone.
 *
 * <pre>
 * rows of a fixed number: far too wide, or far too many    shards, or the type's entry = adaptive
 * a single event exceeds the target of a row               target-bytes   = 8 events
 * far more rows than the nodes and the width call for      target-columns, target-bytes higher
 * a sealed, planned row is beyond its target               target-...     the same everywhere
 * spread = N, and N rows a writer stay nearly empty        spread         = auto
 * a busy type on a cluster, in too few rows to be even     target-columns lower
 * </pre>
 */
record LayoutAdvice(RowLayout layout, NodeMap nodes) {
  /** The tolerance of a sealed row. The planner exceeds a target by a tenth at most. */
  private static final double WIDE = 1.1;

  /**
   * The tolerance of an unsealed row. Its counts are upper bounds that may be ahead of its columns.
   */
  private static final double WIDE_UNSEALED = 1.5;

  /** The rows per node from which nodes are loaded evenly; with fewer, single rows matter. */
  private static final long ROWS_PER_NODE = 3;

  /** The ratio from which there are too many rows: their mean fill is then a quarter. */
  private static final int TIMES_NEEDED = 4;

  /** The most rows. With more, a read spends most of its time on opening rows. */
  private static final int ROWS_MAX = 500;

  private static final int ROWS_WANTED = 200;

  /** The least columns of a row. Narrower rows cost more than their spread gains. */
  private static final long COLUMNS_MIN = 10_000;

  /** The most columns of a row. Wider rows are slow to read, to repair and to compact. */
  private static final long COLUMNS_MAX = 1_000_000;

  private static final long BYTES_MIN = 1 << 20;
  private static final long BYTES_MAX = 64 << 20;

  /** The columns an hour from which a type may be a hot spot: some 300 a second. */
  private static final long BUSY_COLUMNS = 1_000_000;

  /** The desired evenness, as max over mean. */
  private static final double EVEN = 1.2;

  private static final long MIB = 1 << 20;

  /**
   * Returns a proposal; null if no setting is better.
   *
   * @param nodeSkew also for a single row: one with a copy on each node is even
   */
  @Nullable Proposal of(TypeRows rows, @Nullable Skew nodeSkew) {
    if (layout.isFixed(rows.hour(), rows.type())) {
      return planned(rows);
    }
    Proposal proposal = largeEvents(rows);
    proposal = proposal != null ? proposal : widerRows(rows);
    proposal = proposal != null ? proposal : sameTarget(rows);
    if (proposal != null || !rows.isOver()) {
      return proposal; // rows of a current hour may still be added and filled
    }
    proposal = lessSpread(rows);
    return proposal != null ? proposal : narrowerRows(rows, nodeSkew);
  }

  private PlannerOptions set() {
    return layout.planner();
  }

  private int sideBySide() {
    return set().spread() > 0 ? set().spread() : nodes.count();
  }

  /**
   * Whether a row is too wide. An event beyond the target has its own row, and no setting improves
   * that.
   */
  private static boolean isTooWide(RowFill row) {
    return row.columns() > 1 && row.fill() > (row.entry().sealed() ? WIDE : WIDE_UNSEALED);
  }

  private static Optional<RowFill> tooWide(Stream<RowFill> rows) {
    return rows.filter(LayoutAdvice::isTooWide).max(Comparator.comparingDouble(RowFill::fill));
  }

  private boolean areFarTooMany(TypeRows rows) {
    return rows.size() > Math.max(TIMES_NEEDED * rows.needed(set()), ROWS_PER_NODE * nodes.count());
  }

  private @Nullable Proposal planned(TypeRows rows) {
    Optional<RowFill> widest = tooWide(rows.rows().stream());
    String seen;
    if (widest.isPresent()) {
      seen =
          text("row %s has %.1f times its target", widest.get().entry().row(), widest.get().fill());
    } else if (rows.isOver() && areFarTooMany(rows)) {
      seen = text("%d rows hold what fits into %d", rows.size(), rows.needed(set()));
    } else {
      return null;
    }
    return new Proposal(
        // The proposal names only the entry of this type, since a map as the value would drop those
        // of other types.
        layout.shards().isListed(rows.type())
            ? "bucketing.shards-by-type." + quoted(rows.type())
            : "bucketing.shards",
        "adaptive",
        seen
            + "; the number of this type's rows is fixed. adaptive makes as many as its traffic"
            + " needs, each within its target; change it in all processes together");
  }

  private static String quoted(String type) {
    return Json.quoted(type);
  }

  private @Nullable Proposal largeEvents(TypeRows rows) {
    double eventBytes = rows.bytes() / (double) Math.max(1, rows.columns());
    if (eventBytes <= set().targetBytes()) {
      return null;
    }
    return new Proposal(
        "bucketing.target-bytes",
        mebibytesText(mebibytesUp(8 * eventBytes)),
        text(
            "an event has %,d bytes on the average, more than a row is to have, so each has a row of its own; of eight times as much, some share one",
            (long) eventBytes));
  }

  private @Nullable Proposal widerRows(TypeRows rows) {
    boolean byColumns = rows.isFilledByColumns(set());
    double wanted = Math.max(ROWS_WANTED, ROWS_PER_NODE * sideBySide());
    long target =
        byColumns
            ? within(roundUp(rows.columns() / wanted), COLUMNS_MIN, COLUMNS_MAX)
            : within(mebibytesUp(rows.bytes() / wanted), BYTES_MIN, BYTES_MAX);
    long rowsThen =
        byColumns
            ? rows.needed(target, set().targetBytes())
            : rows.needed(set().targetColumns(), target);
    long current = byColumns ? set().targetColumns() : set().targetBytes();
    boolean isNarrow = current < (byColumns ? COLUMNS_MIN : BYTES_MIN);
    if (target < 2 * current
        || rows.size() <= ROWS_PER_NODE * sideBySide()
        || rows.size() < 2 * rowsThen
        || (rows.size() <= ROWS_MAX && !isNarrow)) {
      return null;
    }
    return new Proposal(
        targetOf(byColumns),
        byColumns ? Long.toString(target) : mebibytesText(target),
        text(
            "%,d rows in the hour, where %,d side by side spread the writes; each row costs every query of the hour a slice. Rows of %s are fewer, and narrow enough",
            rows.size(),
            sideBySide(),
            byColumns ? text("%,d columns", target) : mebibytesText(target)));
  }

  private @Nullable Proposal sameTarget(TypeRows rows) {
    // Unsealed rows are left out, since their bounds may exceed the target by far.
    Optional<RowFill> found = tooWide(rows.rows().stream().filter(row -> row.entry().sealed()));
    if (found.isEmpty()) {
      return null;
    }
    RowFill widest = found.get();
    boolean byColumns =
        widest.columns() / (double) set().targetColumns()
            >= widest.bytes() / (double) set().targetBytes();
    return new Proposal(
        targetOf(byColumns),
        Long.toString(byColumns ? set().targetColumns() : set().targetBytes()),
        text(
            "row %s has %.1f times the target of this process: one that writes has a higher target, or had; give all of them the same",
            widest.entry().row(), widest.fill()));
  }

  private @Nullable Proposal lessSpread(TypeRows rows) {
    if (set().spread() <= nodes.count() || !areFarTooMany(rows)) {
      return null;
    }
    return new Proposal(
        "bucketing.spread",
        "auto",
        text(
            "%,d rows hold what fits into %,d, as each writer fills %,d side by side; the store has %,d to spread over",
            rows.size(), rows.needed(set()), set().spread(), nodes.count()));
  }

  private @Nullable Proposal narrowerRows(TypeRows rows, @Nullable Skew nodeSkew) {
    long wanted = ROWS_PER_NODE * nodes.count();
    boolean uneven = nodeSkew != null && nodeSkew.maxOverMean() > EVEN;
    long target = roundDown(rows.columns() / (double) wanted);
    if (rows.columns() < BUSY_COLUMNS
        || rows.size() >= wanted
        || !uneven
        || target < COLUMNS_MIN
        || target >= set().targetColumns()) {
      return null;
    }
    return new Proposal(
        "bucketing.target-columns",
        Long.toString(target),
        text(
            "%,d columns in %d rows do not spread over %d nodes; three rows a node are even",
            rows.columns(), rows.size(), nodes.count()));
  }

  private static long within(long value, long min, long max) {
    return Math.max(min, Math.min(max, value));
  }

  private static String targetOf(boolean byColumns) {
    return byColumns ? "bucketing.target-columns" : "bucketing.target-bytes";
  }

  @FormatMethod
  private static String text(String format, Object... facts) {
    return String.format(Locale.ROOT, format, facts);
  }

  /** The least of 1, 2, 5, 10, 20, ... that is at least {@code atLeast}. */
  static long roundUp(double atLeast) {
    for (long power = 1; power <= Long.MAX_VALUE / 10; power *= 10) {
      for (long digit : new long[] {1, 2, 5}) {
        if (digit * power >= atLeast) {
          return digit * power;
        }
      }
    }
    return Long.MAX_VALUE;
  }

  /** The greatest of 1, 2, 5, 10, 20, ... that is at most {@code atMost}; at least 1. */
  static long roundDown(double atMost) {
    long above = roundUp(atMost);
    long first = Long.parseLong(Long.toString(above).substring(0, 1));
    return above <= atMost || above == 1 ? above : first == 5 ? above / 5 * 2 : above / 2;
  }

  /** The least power of two in MiB that is at least {@code atLeastBytes}, in bytes. */
  static long mebibytesUp(double atLeastBytes) {
    long bytes = MIB;
    while (bytes < atLeastBytes && bytes <= Long.MAX_VALUE / 2) {
      bytes *= 2;
    }
    return bytes;
  }

  static String mebibytesText(long bytes) {
    return bytes / MIB + " MiB";
  }
}
