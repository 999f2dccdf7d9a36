package hourglass.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Project;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests in a JVM of their own; the ones that are run are inside, and run by nothing else. */
class SuiteJobTest {
  private static final String NAME = SuiteJobTest.class.getSimpleName();
  private static final String SWITCH = "hourglass.verify.example";

  /** The role of the JVM that this test starts; null in the JVM of this test. */
  private static final String WHAT = System.getProperty(SWITCH);

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  private List<FailureReport> run(String what, String method) throws Exception {
    Suite suite = new Suite(Project.ROOT, "config/verify");
    Wanted wanted = new Wanted(Tier.FULL, List.of(), List.of(NAME + "#" + method), List.of());
    Board board = new Board(new PrintStream(shown, true, UTF_8), false, 1);
    try (Servers servers = new Servers();
        Desk desk = Desk.open(servers)) {
      return new SuiteJob(suite, wanted, desk, List.of("-D" + SWITCH + "=" + what)).run(board);
    }
  }

  @Test
  void aFailedTestIsNamedWithItsReasonItsSeedAndItsCommand() throws Exception {
    if (WHAT != null) {
      long seed = Seed.next(NAME);
      throw new IllegalStateException("as it should, with seed " + seed);
    }
    List<FailureReport> failures =
        run("fail", "aFailedTestIsNamedWithItsReasonItsSeedAndItsCommand");
    assertThat(failures).hasSize(1);
    FailureReport failure = failures.get(0);
    assertThat(failure.name())
        .isEqualTo("SuiteJobTest#aFailedTestIsNamedWithItsReasonItsSeedAndItsCommand");
    assertThat(failure.reason())
        .anyMatch(line -> line.contains("IllegalStateException: as it should"))
        .anyMatch(line -> line.contains("SuiteJobTest.java:"));
    assertThat(failure.repeat())
        .startsWith("./verify --full config/verify --test 'SuiteJobTest#aFailedTest")
        .contains(" -Dhourglass.seed=");
    assertThat(shown.toString(UTF_8)).contains("FAILED config/verify SuiteJobTest#aFailedTest");
  }

  @Test
  void aJvmThatEndsByItselfIsAFailureWithTheEndOfItsLog() throws Exception {
    if (WHAT != null) {
      System.out.println("the last words");
      Runtime.getRuntime().halt(3);
    }
    List<FailureReport> failures = run("halt", "aJvmThatEndsByItselfIsAFailureWithTheEndOfItsLog");
    assertThat(failures).hasSize(1);
    assertThat(failures.get(0).reason())
        .anyMatch(line -> line.contains("exit code 3"))
        .contains("the last words");
  }
}
