package hourglass.query.advice;

import hourglass.access.Failures;
import hourglass.access.Refusal;
import hourglass.bucketing.TypeHour;
import hourglass.query.QueryOptions;
import hourglass.query.scan.FanOut;
import hourglass.query.scan.StoreAccess;
import hourglass.store.CorruptException;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads claims with one call for each type hour, a bounded number at a time, under one deadline.
 * Claims are optional in an answer, so a failure does not fail the answer, but is stated as the
 * reason for missing claims. Thread-safe.
 */
final class ClaimsReader {
  private static final Logger logger = LoggerFactory.getLogger(ClaimsReader.class);

  private static final String FAILED = "claims could not be read: ";
  private static final String LATE = "the store did not answer in time";

  private final WideColumnStore store;

  private final Map<TypeHour, KnownClaims> known = new ConcurrentHashMap<>();

  /** The reason why no further claims are read; null while they are read. */
  private volatile @Nullable String ended;

  private ClaimsReader(WideColumnStore store) {
    this.store = store;
  }

  /**
   * Reads claims until the deadline. Fails only if the client cancels the query or the executor
   * stops. Completes in any thread.
   *
   * @param wanted the widest first
   */
  static CompletionStage<Map<TypeHour, KnownClaims>> read(
      List<TypeHour> wanted, StoreAccess access) {
    ClaimsReader reader = new ClaimsReader(access.store());
    QueryOptions options = access.options();
    wanted.forEach(about -> reader.known.put(about, KnownClaims.unknown(FAILED + LATE)));
    return FanOut.forEach(wanted, options.fanOut(), access, reader::read)
        .thenApply(done -> true)
        .toCompletableFuture()
        .completeOnTimeout(false, options.claimsTimeoutMillis(), TimeUnit.MILLISECONDS)
        .thenApply(all -> reader.end(all, options.claimsTimeoutMillis()));
  }

  /** Returns the claims so far. Claims that arrive later are ignored. */
  private synchronized Map<TypeHour, KnownClaims> end(boolean inTime, long timeoutMillis) {
    if (!inTime && ended == null) {
      ended = FAILED + LATE;
      logger.warn("not all claims were read within {} ms; the answer lacks some", timeoutMillis);
    }
    return Map.copyOf(known);
  }

  private CompletionStage<?> read(TypeHour about) {
    String before = ended;
    if (before != null) {
      known.put(about, KnownClaims.unknown(before));
      return CompletableFuture.completedFuture(null);
    }
    return store
        .claims(about)
        .handle(
            (claims, thrown) ->
                thrown == null
                    ? KnownClaims.of(claims)
                    : KnownClaims.unknown(failed(about, thrown)))
        .thenAccept(claims -> known.put(about, claims));
  }

  private synchronized String failed(TypeHour about, Throwable thrown) {
    Throwable cause = Failures.cause(thrown);
    if (ended == null) { // other calls in flight mostly fail for the same reason
      String words = words(cause);
      if (words == null) {
        logger.warn("claims of {} {} could not be read", about.hour(), about.type(), cause);
      } else {
        logger.warn("claims of {} {} could not be read: {}", about.hour(), about.type(), words);
      }
      ended = FAILED + (words == null ? "the server's log says why" : words);
    }
    return ended;
  }

  /**
   * Returns the message of a failure of the store, which clients may see; null for other failures.
   */
  private static @Nullable String words(Throwable cause) {
    if (cause instanceof TimeoutException) {
      return LATE;
    }
    boolean isOfStore = Refusal.passes(cause) || cause instanceof CorruptException;
    return isOfStore ? Refusal.message(cause) : null;
  }
}
