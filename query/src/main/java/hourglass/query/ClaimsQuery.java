package hourglass.query;

import hourglass.query.rows.HourType;
import hourglass.query.rows.KnownClaims;
import hourglass.query.rows.RowFill;
import hourglass.store.WideColumnStore;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads who claimed rows: a call an hour and type that has a row which is not sealed, some at a
 * time, the types with most columns first. Claims say more of rows and nothing of events, so one
 * that fails fails no answer; it ends the reading, and each type says why its writers are not
 * known. Thread-safe.
 */
final class ClaimsQuery {
  private final WideColumnStore store;

  /** Guarded by this. */
  private final Map<HourType, KnownClaims> known = new HashMap<>();

  private @Nullable String failure;

  /**
   * @param known of each hour and type that was given
   * @param asked how many of them have a row that is not sealed
   */
  record Claims(Map<HourType, KnownClaims> known, int asked) {}

  private ClaimsQuery(WideColumnStore store) {
    this.store = store;
  }

  /** Never fails. */
  static CompletionStage<Claims> run(
      List<RowFill> rows, WideColumnStore store, QueryOptions options) {
    ClaimsQuery query = new ClaimsQuery(store);
    Map<HourType, Long> columns = new LinkedHashMap<>();
    for (RowFill row : rows) {
      HourType about = HourType.of(row.entry().row());
      query.known.putIfAbsent(about, KnownClaims.unknown("all rows are sealed"));
      if (!row.entry().sealed()) {
        columns.merge(about, row.columns(), Long::sum);
      }
    }
    List<HourType> widestFirst =
        columns.entrySet().stream()
            .sorted(Map.Entry.<HourType, Long>comparingByValue().reversed())
            .map(Map.Entry::getKey)
            .toList();
    int asked = Math.min(widestFirst.size(), options.claims());
    for (HourType beyond : widestFirst.subList(asked, widestFirst.size())) {
      query.put(
          beyond, KnownClaims.unknown("claims are read of the widest %d only".formatted(asked)));
    }
    return FanOut.forEach(widestFirst.subList(0, asked), options.fanOut(), query::read)
        .thenApply(done -> new Claims(query.known, widestFirst.size()));
  }

  private synchronized void put(HourType about, KnownClaims claims) {
    known.put(about, claims);
  }

  private CompletionStage<?> read(HourType about) {
    String before = failure();
    if (before != null) {
      put(about, KnownClaims.unknown(before));
      return CompletableFuture.completedFuture(null);
    }
    return store
        .claims(about.hour(), about.type())
        .handle(
            (claims, thrown) -> {
              put(
                  about,
                  thrown == null ? KnownClaims.of(claims) : KnownClaims.unknown(failed(thrown)));
              return null;
            });
  }

  private synchronized @Nullable String failure() {
    return failure;
  }

  private synchronized String failed(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    String told =
        cause instanceof TimeoutException
            ? "the store did not answer in time"
            : String.valueOf(cause.getMessage());
    failure = "claims could not be read: " + told;
    return failure;
  }
}
