package hourglass.config.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process in order at a signal, with exit code 0. Thread-safe.
 *
 * <p>This is not a shutdown hook, because those of Chronicle Map would run at the same time and
 * close its files while the last pages are written into them. A process that ends by a shutdown
 * hook also exits with 143.
 */
final class Termination {
  /**
   * The time for closing in order. Supervisors kill after 10 s. Acknowledged events are safe in any
   * case.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(9);

  private static final Logger logger = LoggerFactory.getLogger(Termination.class);

  private static final List<String> SIGNALS = List.of("TERM", "INT", "HUP");
  private volatile AutoCloseable running = () -> {};
  private final AtomicBoolean ending = new AtomicBoolean();

  private Termination() {}

  /**
   * Installs the handler. A signal then ends the process in order, or at once while nothing runs.
   */
  static Termination install() {
    Termination termination = new Termination();
    onSignal(termination::end);
    return termination;
  }

  /** Runs the action at each signal, on a new thread. */
  static void onSignal(Runnable action) {
    SIGNALS.forEach(name -> handle(name, action));
  }

  /**
   * Installs a handler by reflection, because javac warns about every mention of sun.misc, and
   * nothing can replace it.
   */
  private static void handle(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler runs =
          (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
              return method.invoke(action, arguments);
            }
            action.run();
            return null;
          };
      Object proxy =
          Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, runs);
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
    } catch (ReflectiveOperationException e) {
      logger.debug("SIG{} cannot be caught here", name, e);
    }
  }

  void closes(AutoCloseable whatRuns) {
    running = whatRuns;
  }

  static void await() throws InterruptedException {
    new CountDownLatch(1).await();
  }

  private void end() {
    if (ending.compareAndSet(false, true)) {
      Runtime.getRuntime().halt(isClosed(running) ? 0 : 1);
    }
  }

  private static boolean isClosed(AutoCloseable whatRuns) {
    FutureTask<?> closing =
        new FutureTask<>(
            () -> {
              whatRuns.close();
              return null;
            });
    new Thread(closing, "closing").start();
    try {
      closing.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      logger.warn(
          "closing takes longer than {} s, so it is cut short; all that was acknowledged is safe",
          PATIENCE.toSeconds());
      return true;
    } catch (InterruptedException | ExecutionException e) {
      logger.warn("did not close in order; the next start recovers what was acknowledged", e);
      return false;
    }
  }
}
