package hourglass.config.server;

import com.sun.management.OperatingSystemMXBean;
import hourglass.access.Refusal;
import hourglass.access.SecretText;
import hourglass.config.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadInfo;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Answers with what a bug report needs: versions, settings without secrets, metrics, threads and
 * the newest lines of the log, as one text. It contains no event, but addresses, names of keys and
 * of types, and questions of slow queries. One is made at a time, since the process stands still
 * while its threads are read, and a diagnosis takes some MB of memory until it is sent.
 * Thread-safe.
 */
final class DiagnosisRoute {
  static final String PATH = "/api/v1/diagnosis";

  private static final String CONTENT_TYPE = "text/plain; charset=utf-8";

  /** The options of Java that may stand in a report. Others may be passwords of libraries. */
  private static final List<String> OPTIONS_SHOWN = List.of("-X", "--add-", "-Dhourglass.");

  private final Settings settings;
  private final InstantSource clock;
  private final ProcessMeters process;
  private final ServerLog log;

  /** Whether a diagnosis is made or sent. */
  private final AtomicBoolean isBusy = new AtomicBoolean();

  DiagnosisRoute(Settings settings, InstantSource clock, ProcessMeters process, ServerLog log) {
    this.settings = settings;
    this.clock = clock;
    this.process = process;
    this.log = log;
  }

  void mount(Router router) {
    router.head(PATH).handler(ctx -> head(ctx).end());
    router.get(PATH).handler(this::answer);
  }

  private static HttpServerResponse head(RoutingContext ctx) {
    return ctx.response()
        .putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
  }

  private void answer(RoutingContext ctx) {
    if (!isBusy.compareAndSet(false, true)) {
      ctx.fail(
          new HttpException(
              Refusal.TOO_MUCH.status(), "another diagnosis is on its way; want one at a time"));
      return;
    }
    ctx.vertx()
        .executeBlocking(this::text, false)
        .compose(text -> ctx.response().closed() ? gone() : head(ctx).end(text))
        .onComplete(done -> isBusy.set(false))
        .onFailure(ctx::fail);
  }

  private static Future<Void> gone() {
    return Future.succeededFuture();
  }

  private String text() {
    return SecretText.hide(
        section("versions", versions())
            + section("settings", settings.text())
            + section("metrics", process.text())
            + section("threads", threads())
            + section("log", String.join("", log.newestLines())));
  }

  private static String section(String name, String text) {
    return "== " + name + " ==\n\n" + text + "\n";
  }

  private String versions() {
    RuntimeMXBean java = ManagementFactory.getRuntimeMXBean();
    Runtime runtime = Runtime.getRuntime();
    String options =
        java.getInputArguments().stream()
            .filter(option -> OPTIONS_SHOWN.stream().anyMatch(option::startsWith))
            .collect(Collectors.joining(" "));
    return """
        hourglass   %s
        time        %s, %d s after the start
        java        %s %s (%s)
        options     %s
        system      %s %s, %s, %d processors, %d bytes of memory
        heap        %d of at most %d bytes
        """
        .formatted(
            Version.text(),
            clock.instant(),
            java.getUptime() / 1_000,
            java.getVmName(),
            Runtime.version(),
            java.getVmVendor(),
            options,
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch"),
            runtime.availableProcessors(),
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize(),
            runtime.totalMemory() - runtime.freeMemory(),
            runtime.maxMemory());
  }

  private static String threads() {
    ThreadInfo[] all = ManagementFactory.getThreadMXBean().dumpAllThreads(false, false);
    return Arrays.stream(all)
        .sorted(Comparator.comparing(ThreadInfo::getThreadName))
        .map(DiagnosisRoute::thread)
        .collect(Collectors.joining("\n"));
  }

  private static String thread(ThreadInfo thread) {
    LockInfo lock = thread.getLockInfo();
    String waitsFor = lock == null ? "" : ", waits for " + lock;
    String owner = thread.getLockOwnerName() == null ? "" : " of " + thread.getLockOwnerName();
    return "\"%s\" %s%s%s%n"
            .formatted(thread.getThreadName(), thread.getThreadState(), waitsFor, owner)
        + Arrays.stream(thread.getStackTrace())
            .map(frame -> "    " + frame + "\n")
            .collect(Collectors.joining());
  }
}
