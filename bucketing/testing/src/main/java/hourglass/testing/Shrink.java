package hourglass.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the case of a failing random test smaller, by leaving out parts of it as long as it fails.
 * The algorithm is ddmin of A. Zeller and R. Hildebrandt, "Simplifying and Isolating
 * Failure-Inducing Input", IEEE Transactions on Software Engineering 28(2), 2002.
 */
public final class Shrink {
  /** The attempts that end the search, so that a slow case does not need hours. */
  private static final int ATTEMPTS = 300;

  /**
   * The time that ends the search. A test that runs longer would be killed before it could report.
   */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private Shrink() {}

  /**
   * Runs a test on a case.
   *
   * @param test must build all its state anew at each call, and fails by any exception or error
   * @throws AssertionError with the smallest part of the case that was found to fail by the same
   *     kind of exception, and that exception as its cause
   */
  public static <T> void check(List<T> steps, Consumer<List<T>> test) {
    Throwable failure = failure(steps, test);
    if (failure == null) {
      return;
    }
    Search<T> search = new Search<>(test, failure);
    List<T> smallest = search.smallest(steps);
    throw new AssertionError(
        "fails with %s of %s steps:%n%s"
            .formatted(
                smallest.size(),
                steps.size(),
                IntStream.range(0, smallest.size())
                    .mapToObj(i -> "  " + i + ": " + smallest.get(i))
                    .collect(Collectors.joining("\n"))),
        search.failure);
  }

  private static <T> @Nullable Throwable failure(List<T> steps, Consumer<List<T>> test) {
    try {
      test.accept(steps);
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  private static final class Search<T> {
    private final Consumer<List<T>> test;
    private Throwable failure;
    private final long startNanos = System.nanoTime();
    private int attempts;

    Search(Consumer<List<T>> test, Throwable failure) {
      this.test = test;
      this.failure = failure;
    }

    List<T> smallest(List<T> whole) {
      List<T> current = whole;
      int parts = 2;
      while (current.size() >= 2 && mayGoOn()) {
        List<T> smaller = withoutOnePart(current, parts);
        if (smaller != null) {
          current = smaller;
          parts = Math.max(parts - 1, 2);
        } else if (parts >= current.size()) {
          break;
        } else {
          parts = Math.min(parts * 2, current.size());
        }
      }
      return current;
    }

    private boolean mayGoOn() {
      return attempts < ATTEMPTS && System.nanoTime() - startNanos < LONGEST.toNanos();
    }

    private @Nullable List<T> withoutOnePart(List<T> steps, int parts) {
      for (int part = 0; part < parts && mayGoOn(); part++) {
        int from = (int) ((long) steps.size() * part / parts);
        int to = (int) ((long) steps.size() * (part + 1) / parts);
        List<T> rest = new ArrayList<>(steps.subList(0, from));
        rest.addAll(steps.subList(to, steps.size()));
        if (fails(rest)) {
          return rest;
        }
      }
      return null;
    }

    private boolean fails(List<T> steps) {
      attempts++;
      Throwable thrown = failure(steps, test);
      if (thrown == null || thrown.getClass() != failure.getClass()) {
        return false;
      }
      failure = thrown;
      return true;
    }
  }
}
