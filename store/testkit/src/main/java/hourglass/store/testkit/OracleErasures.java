package hourglass.store.testkit;

import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.OverloadedException;
import hourglass.store.erasure.ErasedColumns;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureJournal;
import hourglass.store.erasure.ErasureStatus;
import hourglass.store.erasure.ErasureStatus.State;
import hourglass.store.erasure.RememberedColumns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The erasures of an {@link OracleStore}, which forgets none. Thread-safe. */
final class OracleErasures implements ErasureJournal {
  private final Consumer<Erasure> rewrite;
  private final List<Erasure> all = new ArrayList<>();
  private final List<Erasure> hidden = new ArrayList<>();
  private ErasedColumns current = ErasedColumns.NONE;

  /**
   * Creates an empty journal.
   *
   * @param rewrite removes the columns from the rows
   */
  OracleErasures(Consumer<Erasure> rewrite) {
    this.rewrite = rewrite;
  }

  @Override
  public synchronized CompletionStage<ErasedColumns> current() {
    return CompletableFuture.completedFuture(current);
  }

  @Override
  public synchronized CompletionStage<Void> begin(Erasure erasure) {
    if (current.remembered() + erasure.columns() > REMEMBERED_MAX) {
      return CompletableFuture.failedFuture(
          new OverloadedException("oracle: remembers too many columns", Duration.ofDays(1)));
    }
    all.add(0, erasure);
    hidden.add(erasure);
    current = columns();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> rewrite(TimeUuid id) {
    Erasure erasure = hidden(id);
    rewrite.accept(erasure);
    synchronized (this) {
      hidden.remove(erasure);
      current = columns().withMarkOf(current);
    }
    return CompletableFuture.completedFuture(null);
  }

  private synchronized Erasure hidden(TimeUuid id) {
    return hidden.stream().filter(erasure -> erasure.id().equals(id)).findAny().orElseThrow();
  }

  private ErasedColumns columns() {
    return ErasedColumns.of(hidden, all.stream().map(RememberedColumns::of).toList());
  }

  @Override
  public synchronized CompletionStage<List<ErasureStatus>> all() {
    return CompletableFuture.completedFuture(all.stream().map(this::status).toList());
  }

  private ErasureStatus status(Erasure erasure) {
    State state = hidden.contains(erasure) ? State.HIDDEN : State.DONE;
    return new ErasureStatus(erasure.id(), state, erasure.columns(), null, List.of());
  }

  @Override
  public CompletionStage<Long> spaceNeeded(Collection<TypeHour> typeHours) {
    return CompletableFuture.completedFuture(0L);
  }
}
