package hourglass.store.embedded.rows;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Mutation;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The rows of the store. The commit log's thread makes durable columns visible here, and the thread
 * of pages seals rows. Thread-safe.
 */
public final class RowTable {
  private final Hours hours;
  private final Clock clock;

  /** Hours with all rows sealed; a write removes its hour. */
  private final Set<Hour> sealed = ConcurrentHashMap.newKeySet();

  public RowTable(Hours hours, Clock clock) {
    this.hours = hours;
    this.clock = clock;
  }

  /**
   * Ensures that columns of a row can be made visible.
   *
   * @throws RuntimeException if its hour cannot be loaded, or has too many rows
   */
  public void prepare(RowKey row) {
    hours.with(
        row.hour(),
        state -> {
          hours.admit(state, row);
          return state;
        });
  }

  /** Makes columns visible that a group of a log segment holds durably. */
  public void show(Mutation mutation, long segment, long group) {
    Hour hour = mutation.row().hour();
    hours.withWritten(
        hour,
        state -> {
          Row row = state.row(mutation.row());
          row.written(clock.millis());
          row.update(content -> content.withRun(new OpenRun(mutation.columns(), segment, group)));
          return null;
        });
    sealed.remove(hour);
  }

  /** Removes a dropped hour. */
  public void drop(Hour hour) {
    hours.forgetLoaded(hour);
  }

  /** Whether every row of an hour was sealed, without a write since. */
  public boolean isSealed(Hour hour) {
    return sealed.contains(hour);
  }

  public void setSealed(Hour hour, boolean isSealed) {
    if (isSealed) {
      sealed.add(hour);
    } else {
      sealed.remove(hour);
    }
  }
}
