package hourglass.config.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Catches the signals that ask a process to end.
 *
 * <p>Not a shutdown hook: hooks run side by side, so those of Chronicle Map would close its files
 * while the last pages are written into them, and a process that ends by one exits with 143.
 */
final class Signals {
  private static final List<String> ENDING = List.of("TERM", "INT", "HUP");
  private static final Logger log = LoggerFactory.getLogger(Signals.class);

  private Signals() {}

  /** Runs the action at each signal from now on, on a new thread. */
  static void onEnd(Runnable action) {
    ENDING.forEach(name -> handle(name, action));
  }

  /**
   * By reflection, since javac warns about every mention of sun.misc, and nothing can replace it.
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
      log.debug("SIG{} cannot be caught here", name, e);
    }
  }
}
