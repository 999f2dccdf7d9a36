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

  /** Makes a call. The future also fails if the call itself throws. */
  public static <T> CompletableFuture<T> call(Supplier<? extends CompletionStage<T>> call) {
    try {
      return call.get().toCompletableFuture();
    } catch (RuntimeException | Error e) { // an error must not leave others waiting
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Completes with a failure if that is not null. */
  public static <T> void complete(
      CompletableFuture<T> future, @Nullable T value, @Nullable Throwable failure) {
    if (failure == null) {
      future.complete(value);
    } else {
      future.completeExceptionally(failure);
    }
  }

  public static CompletableFuture<Void> allOf(Stream<? extends CompletionStage<?>> stages) {
    return CompletableFuture.allOf(
        stages.map(CompletionStage::toCompletableFuture).toArray(CompletableFuture<?>[]::new));
  }

  /** Completes with the results of all stages, in their order. */
  public static <T> CompletableFuture<List<T>> all(Stream<? extends CompletionStage<T>> stages) {
    List<CompletableFuture<T>> futures = stages.map(stage -> stage.toCompletableFuture()).toList();
    return allOf(futures.stream())
        .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
  }
}
