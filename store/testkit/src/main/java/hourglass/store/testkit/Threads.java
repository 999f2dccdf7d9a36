package hourglass.store.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs tasks concurrently, each on its own thread, and fails with the first failed task. */
final class Threads {
  private Threads() {}

  static <T> List<T> runAll(List<? extends Callable<T>> tasks) {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> done : threads.invokeAll(tasks)) {
        results.add(done.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new AssertionError("in another thread: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }
}
