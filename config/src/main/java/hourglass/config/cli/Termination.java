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
 * Ends the process in order, with exit code 0, at a signal. Thread-safe.
 *
 * <p>Not a shutdown hook: those of Chronicle Map would run beside it, and close its files while the
 * last pages are written into them. A process that ends by one exits with 143.
 */
final class Termination {
  /** Supervisors kill after 10 s. Acknowledged events are safe in any case. */
  private static final Duration PATIENCE = Duration.ofSeconds(9);

  private static final Logger logger = LoggerFactory.getLogger(Termination.class);

  private static final List<String> SIGNALS = List.of("TERM", "INT", "HUP");
  private volatile AutoCloseable running = () -> {};
  private final AtomicBoolean ending = new AtomicBoolean();

  private Termination() {}

  /** From now on a signal ends the process; before anything runs, at once. */
  static Termination install() {
    Termination termination = new Termination();
    onSignal(termination::end);
    return termination;
  }

  /** Each signal runs the action on a new thread. */
  static void onSignal(Runnable action) {
    SIGNALS.forEach(name -> handle(name, action));
  }

  /** By reflection: javac warns about every mention of sun.misc, and nothing can replace it. */
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
