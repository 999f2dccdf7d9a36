package hourglass.query.erasure.http;

import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.erasure.ErasedColumns;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureJournal;
import hourglass.store.erasure.ErasureStatus;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A journal that fails, or waits, before or after an erasure has begun. Thread-safe. */
final class FailingJournal implements ErasureJournal {
  static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  volatile CompletableFuture<Void> beforeBegin = DONE;
  volatile CompletableFuture<Void> afterBegin = DONE;

  /** What it says of each erasure. */
  volatile @Nullable String failure;

  volatile List<String> holds = List.of();

  private final ErasureJournal journal;

  FailingJournal(ErasureJournal journal) {
    this.journal = journal;
  }

  @Override
  public CompletionStage<ErasedColumns> current() {
    return journal.current();
  }

  @Override
  public CompletionStage<Void> begin(Erasure erasure) {
    return beforeBegin.thenCompose(may -> journal.begin(erasure)).thenCompose(begun -> afterBegin);
  }

  @Override
  public CompletionStage<Void> rewrite(TimeUuid id) {
    return journal.rewrite(id);
  }

  @Override
  public CompletionStage<List<ErasureStatus>> all() {
    return journal.all().thenApply(all -> all.stream().map(this::troubled).toList());
  }

  private ErasureStatus troubled(ErasureStatus status) {
    return new ErasureStatus(status.id(), status.state(), status.columns(), failure, holds);
  }

  @Override
  public CompletionStage<Long> spaceNeeded(Collection<TypeHour> typeHours) {
    return journal.spaceNeeded(typeHours);
  }
}
