package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Project;
import hourglass.testing.Tier;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The checks of the page in a real browser: programs of Node in {@code dashboard/src/test/e2e}. */
final class BrowserChecks {
  /**
   * Limit for the tests that run the checks, so that the checks end by their own limits and report.
   */
  static final int TIMEOUT_HOURS = 3;

  /**
   * Each check has a limit of its own; this one ends a browser that hangs. Hundreds of checks take
   * a busy machine a quarter of an hour.
   */
  private static final int PATIENCE_SECONDS = Tier.length(40 * 60, 40 * 60, 2 * 60 * 60);

  /** How a line of the report begins that names a check that failed, and one with the reason. */
  private static final String FAILED = "FAILED";

  private static final String REASON = "        ";

  /** Paths of the browsers on Debian; browser.mjs uses the first that exists. */
  private static final List<String> BROWSERS =
      List.of("/usr/bin/chromium-headless-shell", "/usr/bin/chromium");

  private static final Path DASHBOARD = Project.ROOT.resolve("dashboard");

  /** An action that a check cannot perform itself, such as restarting the server. */
  interface Act {
    void act(String how) throws Exception;
  }

  private BrowserChecks() {}

  static void requireTools() {
    String remedy = " ./verify prepares what this test needs.";
    assertThat(isThere("node")).as("Node 20 or newer is missing." + remedy).isTrue();
    assertThat(Files.isDirectory(DASHBOARD.resolve("node_modules/playwright-core")))
        .as("the dashboard is not built: mvn -pl dashboard package." + remedy)
        .isTrue();
    String chromium = System.getenv("CHROMIUM");
    List<String> places = chromium == null ? BROWSERS : List.of(chromium);
    assertThat(places.stream().map(Path::of).anyMatch(Files::isExecutable))
        .as("Chromium is missing, no " + places + "; CHROMIUM names another." + remedy)
        .isTrue();
  }

  private static boolean isThere(String program) {
    for (String folder : System.getenv("PATH").split(":")) {
      if (Files.isExecutable(Path.of(folder, program))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Runs them, prints their report as it comes, and does what a line of it asks for: {@code NAME:
   * HOW}. Fails with the checks that failed and their reasons.
   */
  static void run(List<String> command, Map<String, String> environment, Map<String, Act> acts)
      throws Exception {
    StringBuilder failures = new StringBuilder();
    ProcessBuilder builder = new ProcessBuilder(command).directory(DASHBOARD.toFile());
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    // A process that is ended so has an exit code that is not zero.
    CompletableFuture.delayedExecutor(PATIENCE_SECONDS, TimeUnit.SECONDS)
        .execute(process::destroyForcibly);
    try (BufferedReader report = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = report.readLine(); line != null; line = report.readLine()) {
        System.out.println(line);
        if (line.startsWith(FAILED) || line.startsWith(REASON) && !failures.isEmpty()) {
          failures.append(line).append('\n');
        }
        act(line, acts);
      }
      assertThat(process.waitFor()).as("exit code of the browser's checks%n%s", failures).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  private static void act(String line, Map<String, Act> acts) throws Exception {
    int colon = line.indexOf(": ");
    Act act = colon < 0 ? null : acts.get(line.substring(0, colon));
    if (act != null) {
      act.act(line.substring(colon + 2));
    }
  }
}
