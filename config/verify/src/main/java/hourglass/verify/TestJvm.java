package hourglass.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.reporting.legacy.xml.LegacyXmlReportGeneratingListener;

/**
 * The main class of a JVM that runs the tests of one module and reports their results to the runner
 * by a socket. The output of the tests is kept separate from that.
 */
final class TestJvm {
  /** The names of classes that contain tests. Benchmarks and helpers have other names. */
  private static final String TESTS = ".*(Test|IT)";

  /** Whether all tests have ended, after which the runner closes the connection. */
  private static volatile boolean hasEnded;

  private TestJvm() {}

  /**
   * Runs the tests, and ends the process.
   *
   * @param arguments the runner's port, the module, the folder of test classes, the folder for
   *     reports, the excluded tags separated by commas, and the names of the tests to run
   */
  public static void main(String[] arguments) {
    List<String> excluded = Stream.of(arguments[4].split(",")).filter(t -> !t.isEmpty()).toList();
    List<String> wanted = List.of(arguments).subList(5, arguments.length);
    int port = Integer.parseInt(arguments[0]);
    int exit = 1;
    try (Socket runner = new Socket(InetAddress.getLoopbackAddress(), port);
        PrintWriter tell = new PrintWriter(runner.getOutputStream(), true, UTF_8);
        LauncherSession session = LauncherFactory.openSession()) {
      endWith(runner);
      tell.println("suite " + arguments[1]);
      Launcher launcher = session.getLauncher();
      TestPlan plan = launcher.discover(request(Path.of(arguments[2]), excluded, wanted));
      launcher.execute(
          plan,
          new TestReporter(tell),
          new LegacyXmlReportGeneratingListener(
              Path.of(arguments[3]), new PrintWriter(System.out, true, UTF_8)));
      hasEnded = true;
      tell.println("end");
      exit = 0;
    } catch (IOException | RuntimeException | Error e) {
      e.printStackTrace(new PrintWriter(System.err, true, UTF_8)); // into the log of the module
    }
    // The process must not wait for a thread that a test left running.
    System.exit(exit);
  }

  /** Ends this process with the runner, even if the runner was killed. */
  private static void endWith(Socket runner) {
    Thread watch =
        new Thread(
            () -> {
              try {
                if (runner.getInputStream().read() >= 0) {
                  throw new IOException("the runner sends nothing");
                }
              } catch (IOException e) {
                // A failure to read means the same as the end of the runner.
              }
              if (!hasEnded) {
                Runtime.getRuntime().halt(1);
              }
            },
            "runner-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private static LauncherDiscoveryRequest request(
      Path classes, List<String> excluded, List<String> wanted) {
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClasspathRoots(Set.of(classes)))
            .filters(includeClassNamePatterns(TESTS));
    if (!excluded.isEmpty()) {
      request.filters(TagFilter.excludeTags(excluded));
    }
    if (!wanted.isEmpty()) {
      request.filters(
          (PostDiscoveryFilter) test -> FilterResult.includedIf(isWanted(test, wanted)));
    }
    return request.build();
  }

  private static boolean isWanted(TestDescriptor test, List<String> wanted) {
    TestDescriptor top = test;
    while (top.getParent().flatMap(TestDescriptor::getParent).isPresent()) {
      top = top.getParent().get();
    }
    return TestNames.of(top.getSource().orElse(null), test.getSource().orElse(null))
        .map(names -> wanted.stream().anyMatch(names::isWantedBy))
        .orElse(true);
  }
}
