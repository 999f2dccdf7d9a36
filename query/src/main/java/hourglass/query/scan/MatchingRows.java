package hourglass.query.scan;

import hourglass.bucketing.RowKey;
import hourglass.store.ColumnRange;
import hourglass.store.FieldFilter;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of an hour that an answer must read: an index of the store knows of most rows that
 * they have no event which matches, and one question for all of them costs less than a read of
 * each.
 */
public final class MatchingRows {
  private MatchingRows() {}

  /**
   * Returns the rows that may have an event which matches, in the same order. A row that may have a
   * name in common with one of these stays too, since the payload that wins under the name may be
   * in either.
   *
   * @param rows of one hour
   * @param wanted the part of a row that is read
   * @param filter null if every event is wanted
   */
  public static CompletionStage<List<RowEntry>> of(
      WideColumnStore store,
      List<RowEntry> rows,
      Function<RowEntry, ColumnRange> wanted,
      @Nullable FieldFilter filter) {
    if (filter == null || !filter.requiresAny() || rows.isEmpty()) {
      return CompletableFuture.completedFuture(rows);
    }
    return store
        .mayMatch(rows, filter)
        .thenApply(matching -> matching.size() == rows.size() ? rows : kept(rows, matching, wanted))
        .exceptionally(failure -> rows); // a read of the row reports the failure
  }

  /** Returns the rows that match, and those that may have a name in common with one of them. */
  private static List<RowEntry> kept(
      List<RowEntry> rows, List<RowEntry> matching, Function<RowEntry, ColumnRange> wanted) {
    Set<String> types = matching.stream().map(row -> row.row().type()).collect(Collectors.toSet());
    List<RowEntry> ofTypes = rows.stream().filter(row -> types.contains(row.row().type())).toList();
    Map<RowKey, ColumnRange> unshared = UnsharedRanges.of(ofTypes, wanted);
    Set<RowKey> keys = matching.stream().map(RowEntry::row).collect(Collectors.toSet());
    return ofTypes.stream()
        .filter(row -> keys.contains(row.row()) || !isAlone(row, wanted, unshared))
        .toList();
  }

  private static boolean isAlone(
      RowEntry row, Function<RowEntry, ColumnRange> wanted, Map<RowKey, ColumnRange> unshared) {
    ColumnRange read = wanted.apply(row).intersect(UnsharedRanges.listed(row));
    ColumnRange ofRow = unshared.get(row.row());
    return ofRow != null && ofRow.covers(read);
  }
}
