package hourglass.config;

import hourglass.store.WideColumnStore;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The composition root: everything that runs in one process, and who knows whom. Thread-safe. */
final class Hourglass implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Hourglass.class);

  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final String address;

  /**
   * Starts the roles of the settings; they serve when this returns.
   *
   * @throws StartException with a message for a person
   */
  static Hourglass start(Settings settings) {
    return new Hourglass(settings);
  }

  private Hourglass(Settings settings) {
    try {
      Clock clock = Clock.systemUTC();
      ProcessMeters meters = closing(new ProcessMeters(clock));
      WideColumnStore store = closing(Stores.open(settings.store(), clock, meters.registry()));
      Vertx vertx = closing(new VertxRuntime()).vertx();
      Router router = Router.router(vertx);
      ProblemPages.mount(router);
      new HealthRoutes(store).mount(router);
      meters.mount(router);
      if (settings.roles().contains(Role.DASHBOARD)) {
        new DashboardFiles().mount(router);
      }
      HttpListener listener = closing(HttpListener.listen(vertx, settings.http(), router));
      address = listener.address();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** As in {@code http://127.0.0.1:8080}. */
  String address() {
    return address;
  }

  /** Takes no further requests, finishes those it took, and makes everything durable. */
  @Override
  public synchronized void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        log.warn("did not close in order", e);
      }
    }
  }

  private <T extends AutoCloseable> T closing(T part) {
    started.push(part);
    return part;
  }
}
