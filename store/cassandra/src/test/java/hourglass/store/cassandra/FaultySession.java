package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A session whose requests time out by chance. The node never gets the request, or answers in vain,
 * or gets it later.
 */
final class FaultySession {
  /** One of so many requests fails. */
  private static final int FAILS = 25;

  private final CqlSession session;
  private final Random random;
  private final List<Callable<Object>> later = Collections.synchronizedList(new ArrayList<>());

  FaultySession(CqlSession session, Random random) {
    this.session = session;
    this.random = random;
  }

  CqlSession session() {
    return (CqlSession)
        Proxy.newProxyInstance(
            CqlSession.class.getClassLoader(),
            new Class<?>[] {CqlSession.class},
            (proxy, method, arguments) -> {
              Callable<Object> call =
                  () -> {
                    try {
                      return method.invoke(session, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause() instanceof Exception cause ? cause : e;
                    }
                  };
              boolean isRequest =
                  method.getName().equals("executeAsync") && arguments[0] instanceof Statement;
              return isRequest && random.nextInt(FAILS) == 0 ? fail(call) : call.call();
            });
  }

  private CompletionStage<?> fail(Callable<Object> request) throws Exception {
    DriverTimeoutException failure = new DriverTimeoutException("by chance");
    switch (random.nextInt(4)) {
      case 0 -> later.add(request);
      case 1 -> {}
      default -> {
        return ((CompletionStage<?>) request.call())
            .thenCompose(done -> CompletableFuture.failedFuture(failure));
      }
    }
    return CompletableFuture.failedFuture(failure);
  }

  /** Sends the requests delayed so far. */
  void sendLate() {
    while (!later.isEmpty()) {
      try {
        ((CompletionStage<?>) later.remove(0).call()).toCompletableFuture().join();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
