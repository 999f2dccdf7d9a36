package hourglass.verify;

import hourglass.testing.Seed;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes lines about the tests of a plan as they run, for {@link SuiteJob} to read:
 *
 * <pre>
 * planned N               so many tests are known, also as that number grows
 * passed, skipped
 * failed NAME             NAME as --test takes it
 *  SHOWN                  after "failed": its name with arguments, then the reason
 * seed OPTION             after "failed": repeats its random numbers
 * class NAME MILLIS       a class has ended
 * </pre>
 */
final class TestReporter implements TestExecutionListener {
  /** The most lines of a message, which may contain a whole answer. */
  private static final int MESSAGE_LINES = 12;

  private static final int FRAMES = 6;
  private static final String OURS = "hourglass.";

  private final PrintWriter tell;
  private final Map<String, Long> begunNanos = new HashMap<>();
  private @Nullable TestPlan plan;
  private long known;

  TestReporter(PrintWriter tell) {
    this.tell = tell;
  }

  @Override
  public synchronized void testPlanExecutionStarted(TestPlan started) {
    plan = started;
    known = started.countTestIdentifiers(TestIdentifier::isTest);
    tell.println("planned " + known);
  }

  @Override
  public synchronized void dynamicTestRegistered(TestIdentifier registered) {
    if (registered.isTest()) {
      known++;
      tell.println("planned " + known);
    }
  }

  @Override
  public synchronized void executionStarted(TestIdentifier started) {
    begunNanos.put(started.getUniqueId(), System.nanoTime());
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier skipped, String reason) {
    tell.println("skipped");
  }

  @Override
  public synchronized void executionFinished(TestIdentifier ended, TestExecutionResult result) {
    Long begun = begunNanos.remove(ended.getUniqueId());
    Optional<TestNames> names = names(ended);
    if (begun != null && isTop(ended) && names.isPresent()) {
      long millis = (System.nanoTime() - begun) / 1_000_000;
      tell.println("class " + names.get().topName() + " " + millis);
    }
    if (result.getStatus() != Status.SUCCESSFUL) {
      fail(
          ended,
          begun == null ? System.nanoTime() : begun,
          names,
          result.getThrowable().orElse(null));
    } else if (ended.isTest()) {
      tell.println("passed");
    }
  }

  private void fail(
      TestIdentifier ended, long begun, Optional<TestNames> names, @Nullable Throwable thrown) {
    String shown = ended.getDisplayName().replaceAll("\\R", " ");
    tell.println("failed " + names.map(TestNames::option).orElse(shown));
    tell.println(" " + shown);
    reason(thrown).forEach(line -> tell.println(" " + line));
    seed(begun, names.map(TestNames::topName).orElse(""), ownClass(ended).orElse(""))
        .ifPresent(draw -> tell.println("seed " + draw.option()));
  }

  /**
   * Finds the last seed that a test drew. It is one with the test's name if there is any, because
   * other tests may run at the same time; else it is one drawn during the test.
   */
  private static Optional<Seed.Draw> seed(long begunNanos, String top, String own) {
    List<Seed.Draw> drawn = new ArrayList<>(Seed.drawn());
    Collections.reverse(drawn);
    List<Seed.Draw> meanwhile =
        drawn.stream().filter(draw -> draw.nanos() - begunNanos >= 0).toList();
    return Stream.of(meanwhile, drawn)
        .flatMap(List::stream)
        .filter(draw -> isNamed(draw, top) || isNamed(draw, own))
        .findFirst()
        .or(() -> meanwhile.stream().findFirst());
  }

  private static boolean isNamed(Seed.Draw draw, String name) {
    return draw.test().matches(Pattern.quote(name) + "\\b.*") && !name.isEmpty();
  }

  /**
   * Returns the messages of an exception and of its causes, and where in our code they were thrown.
   */
  private static List<String> reason(@Nullable Throwable thrown) {
    List<String> lines = new ArrayList<>();
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      each.toString().lines().limit(MESSAGE_LINES).forEach(lines::add);
      Stream.of(each.getStackTrace())
          .filter(frame -> frame.getClassName().startsWith(OURS))
          .limit(FRAMES)
          .forEach(frame -> lines.add("    at " + frame));
    }
    return lines;
  }

  private boolean isTop(TestIdentifier test) {
    return parent(test).flatMap(this::parent).isEmpty() && parent(test).isPresent();
  }

  private Optional<TestNames> names(TestIdentifier test) {
    TestIdentifier top = test;
    while (!isTop(top)) {
      Optional<TestIdentifier> above = parent(top);
      if (above.isEmpty()) {
        return Optional.empty();
      }
      top = above.get();
    }
    return TestNames.of(source(top), source(test));
  }

  /** Returns the simple name of the class that declares a test, which may be a nested class. */
  private static Optional<String> ownClass(TestIdentifier test) {
    return test.getSource()
        .flatMap(source -> TestNames.of(source, null))
        .map(names -> names.topName().replaceFirst(".*\\$", ""));
  }

  private static @Nullable TestSource source(TestIdentifier test) {
    return test.getSource().orElse(null);
  }

  private Optional<TestIdentifier> parent(TestIdentifier test) {
    return plan == null ? Optional.empty() : plan.getParent(test);
  }
}
