package hourglass.store.cassandra.driver;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Helpers for futures. */
public final class Futures {
  private Futures() {}

  /** The future of a call, which fails if the call itself throws. */
  public static <T> CompletableFuture<T> call(Supplier<? extends CompletionStage<T>> call) {
    try {
      return call.get().toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Completes a future with a value, or with a failure if that is not null. */
  public static <T> void complete(
      CompletableFuture<T> future, @Nullable T value, @Nullable Throwable failure) {
    if (failure == null) {
      future.complete(value);
    } else {
      future.completeExceptionally(failure);
    }
  }

  /** Completes when all stages have completed. */
  public static CompletableFuture<Void> allOf(Stream<? extends CompletionStage<?>> stages) {
    return CompletableFuture.allOf(
        stages.map(CompletionStage::toCompletableFuture).toArray(CompletableFuture<?>[]::new));
  }

  /** The values of all stages, in order. */
  public static <T> CompletableFuture<List<T>> all(Stream<? extends CompletionStage<T>> stages) {
    List<CompletableFuture<T>> futures = stages.map(stage -> stage.toCompletableFuture()).toList();
    return allOf(futures.stream())
        .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
  }
}
