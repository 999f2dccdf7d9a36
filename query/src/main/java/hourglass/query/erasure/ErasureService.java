package hourglass.query.erasure;

import hourglass.access.Refusal;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.query.fair.QueryThread;
import hourglass.query.service.QueryService;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureStatus;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Erases the events of a selection. It resolves the selection to names first, so that nothing that
 * is stored contains the text that was sought. Thread-safe.
 *
 * <p>Methods with a thread wait for the store in that thread. They read what the client of the
 * query may see, and fail as queries do.
 */
public final class ErasureService {
  private final ErasingStore store;
  private final TimeUuidGenerator ids;
  private final Clock steady;

  /**
   * Creates a service.
   *
   * @param clock the wall clock, which states when an erasure was requested
   * @param steady a monotonic clock, which bounds a scan
   */
  public ErasureService(ErasingStore store, Clock clock, Clock steady) {
    this.store = store;
    this.ids = new TimeUuidGenerator(clock);
    this.steady = steady;
  }

  /**
   * An erasure that has begun.
   *
   * @param id null if no event matched
   */
  public record Begun(@Nullable TimeUuid id, FoundEvents found) {}

  /** Finds the events that an erasure would erase now. */
  public FoundEvents find(QueryService on, ErasureRequest request, QueryThread thread) {
    return inTime(on, thread, () -> new ErasureScan(on.access(), request, thread).run());
  }

  /**
   * Returns the bytes that the rewrite of the rows of these events needs at most, besides those
   * that they take now.
   */
  public long spaceNeeded(FoundEvents found, QueryThread thread) {
    return found.rows().isEmpty()
        ? 0
        : thread.await(store.erasures().spaceNeeded(found.typeHours()));
  }

  /**
   * Erases all events that a request selects now. When this returns, no answer contains them.
   *
   * @param begins receives the id and the events just before they are erased; if it throws, they
   *     are not
   * @throws ErasureRefusedException if some events could not be read, or if they are too many
   */
  public Begun erase(
      QueryService on, ErasureRequest request, Consumer<Begun> begins, QueryThread thread) {
    FoundEvents found = find(on, request, thread);
    require(found);
    if (found.events() == 0) {
      Begun nothing = new Begun(null, found);
      begins.accept(nothing);
      return nothing;
    }
    TimeUuid id = ids.next();
    Begun begun = new Begun(id, found);
    begins.accept(begun);
    thread.await(store.erase(new Erasure(id, found.rows(), request.blanked())));
    return begun;
  }

  /**
   * Requires that an erasure of these events would be whole and within its bounds.
   *
   * @throws ErasureRefusedException if it would not
   */
  public void require(FoundEvents found) {
    if (!found.missing().isEmpty()) {
      throw new ErasureRefusedException(
          Refusal.AWAY,
          "nothing was erased, since events may be in parts that are missing: %s; want them restored"
                  .formatted(String.join(", ", found.missing()))
              + " (store.embedded.missing), or a range without them");
    }
    if (found.events() > Erasure.COLUMNS_MAX) {
      throw new ErasureRefusedException(
          Refusal.FOR_GOOD,
          ("%,d events match, and one erasure takes at most %,d; want a shorter range or fewer types,"
                  + " one part after the other, or DELETE /api/v1/hours/HOUR for whole hours")
              .formatted(found.events(), Erasure.COLUMNS_MAX));
    }
  }

  /** Runs a scan within the time of all queries. */
  private <T> T inTime(QueryService on, QueryThread thread, Supplier<T> scan) {
    long millis = on.options().bounds().timeoutMillis();
    long endMillis = steady.millis() + millis;
    BooleanSupplier isLate = () -> steady.millis() >= endMillis;
    try {
      return thread.until(isLate, scan);
    } catch (CancellationException e) {
      if (on.gone().getAsBoolean()) {
        throw e;
      }
      throw new ErasureRefusedException(
          Refusal.OUT_OF_TIME,
          "query.timeout: the scan took more than %d s, and nothing was erased; want a shorter range or fewer types"
              .formatted(TimeUnit.MILLISECONDS.toSeconds(millis)));
    }
  }

  /** Returns the erasures that are not forgotten, the newest first. */
  public CompletionStage<List<ErasureStatus>> all() {
    return store.erasures().all();
  }

  /** Returns an erasure; empty if there is none of this id, or it was forgotten. */
  public CompletionStage<Optional<ErasureStatus>> one(TimeUuid id) {
    return all().thenApply(all -> all.stream().filter(each -> each.id().equals(id)).findFirst());
  }
}
