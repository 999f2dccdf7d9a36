package hourglass.query.advice;

import hourglass.access.Failures;
import hourglass.access.Refusal;
import hourglass.bucketing.TypeHour;
import hourglass.query.QueryOptions;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.FanOut;
import hourglass.query.scan.StoreAccess;
import hourglass.store.CorruptException;
import hourglass.store.WideColumnStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads claims with one call for each type hour, a bounded number at a time, under one deadline.
 * Claims are optional in an answer, so a failure does not fail the answer, but is stated as the
 * reason for missing claims. Used by one thread; the store completes reads in others.
 */
final class ClaimsReader {
  private static final Logger logger = LoggerFactory.getLogger(ClaimsReader.class);

  private static final String FAILED = "claims could not be read: ";
  private static final String LATE = "the store did not answer in time";

  private final WideColumnStore store;
  private final long sinceNanos = System.nanoTime();
  private final long timeoutNanos;

  /** The reason why no further claims are read; null while they are read. */
  private volatile @Nullable String ended;

  private ClaimsReader(WideColumnStore store, long timeoutNanos) {
    this.store = store;
    this.timeoutNanos = timeoutNanos;
  }

  /**
   * Reads claims until the deadline.
   *
   * @param wanted the widest first
   */
  static Map<TypeHour, KnownClaims> read(
      List<TypeHour> wanted, StoreAccess access, QueryThread thread) {
    QueryOptions options = access.options();
    long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(options.claimsTimeoutMillis());
    ClaimsReader reader = new ClaimsReader(access.store(), timeoutNanos);
    Map<TypeHour, KnownClaims> known = new HashMap<>();
    FanOut reads = new FanOut(options.fanOut(), thread);
    for (TypeHour about : wanted) {
      reads.begin(() -> reader.read(about), claims -> known.put(about, claims));
    }
    reads.finish();
    return known;
  }

  private CompletionStage<KnownClaims> read(TypeHour about) {
    String before = ended;
    if (before != null) {
      return CompletableFuture.completedFuture(KnownClaims.unknown(before));
    }
    long leftNanos = timeoutNanos - (System.nanoTime() - sinceNanos);
    return store
        .claims(about)
        .toCompletableFuture()
        .copy() // only the store completes its answers
        .orTimeout(Math.max(0, leftNanos), TimeUnit.NANOSECONDS)
        .handle(
            (claims, thrown) ->
                thrown == null
                    ? KnownClaims.of(claims)
                    : KnownClaims.unknown(failed(about, thrown)));
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
