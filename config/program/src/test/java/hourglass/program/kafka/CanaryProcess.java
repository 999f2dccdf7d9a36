package hourglass.program.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `hourglass load canary` as a child process, watched through its own metrics. */
final class CanaryProcess implements AutoCloseable {
  private static final Pattern PAGE = Pattern.compile("metrics at (http://\\S+)");
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Program.Running running;
  private final URI page;

  private CanaryProcess(Program.Running running, URI page) {
    this.running = running;
    this.page = page;
  }

  /** Starts one of 50 events a second, which runs until it is terminated. */
  static CanaryProcess start(Path folder, String... options) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("load", "canary", "--rate=50", "--metrics-port=0"));
    arguments.addAll(List.of(options));
    Program.Running running = Program.start(folder, Map.of(), arguments.toArray(String[]::new));
    try {
      await().until(() -> PAGE.matcher(running.said()).find() || !running.process().isAlive());
      Matcher page = PAGE.matcher(running.said());
      assertThat(page.find()).as(running.said()).isTrue();
      return new CanaryProcess(running, URI.create(page.group(1)));
    } catch (RuntimeException | Error e) {
      running.close();
      throw e;
    }
  }

  /** A counter, summed over its labels. */
  long count(String name) throws IOException, InterruptedException {
    String metrics =
        HTTP.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
            .body();
    return metrics
        .lines()
        .filter(line -> line.startsWith("hourglass_canary_" + name))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Waits until a counter has risen by that many. */
  void awaitMore(String name, long more) throws Exception {
    long before = count(name);
    await().until(() -> count(name) >= before + more);
  }

  /** SIGTERM; returns its result. */
  Program.Result terminate() throws Exception {
    running.process().destroy();
    Program.Result result = running.end();
    System.out.println(result.out());
    return result;
  }

  @Override
  public void close() {
    running.close();
  }
}
