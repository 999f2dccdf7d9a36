package hourglass.verify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Runs jobs in parallel. Each lane that becomes free begins the next one. */
final class Lanes {
  /**
   * The number of lanes: one more than there are processors, because the tests of the program
   * mostly wait for processes, and a JVM reads its classes from the disk.
   */
  private static final int COUNT = Runtime.getRuntime().availableProcessors() + 1;

  private final Board board;

  Lanes(Board board) {
    this.board = board;
  }

  /** Runs the jobs. Returns when all have ended, with their failures in the order of the jobs. */
  List<FailureReport> run(List<Job> jobs) throws InterruptedException {
    ExecutorService lanes = Executors.newFixedThreadPool(COUNT);
    List<FailureReport> failures = new ArrayList<>();
    try {
      List<Future<List<FailureReport>>> results =
          jobs.stream().map(job -> lanes.submit(() -> run(job))).toList();
      for (int i = 0; i < jobs.size(); i++) {
        try {
          failures.addAll(results.get(i).get());
        } catch (ExecutionException e) {
          failures.add(
              new FailureReport(
                  jobs.get(i).name(), said(Objects.requireNonNull(e.getCause())), "./verify"));
        }
      }
    } finally {
      lanes.shutdownNow();
    }
    return failures;
  }

  private List<FailureReport> run(Job job) throws Exception {
    long begin = System.nanoTime();
    board.begin(job.name());
    try {
      return job.run(board);
    } finally {
      board.end(job.name(), Duration.ofNanos(System.nanoTime() - begin));
    }
  }

  private static List<String> said(Throwable failure) {
    return Stream.concat(
            Stream.of(failure.toString()),
            Stream.of(failure.getStackTrace()).map(frame -> "    at " + frame))
        .toList();
  }
}
