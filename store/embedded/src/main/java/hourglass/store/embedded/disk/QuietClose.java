package hourglass.store.embedded.disk;

import hourglass.store.UnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes files that were forced or given up. A failed close is only logged, since it loses nothing
 * that was committed.
 */
public final class QuietClose {
  private static final Logger logger = LoggerFactory.getLogger(QuietClose.class);

  private QuietClose() {}

  public static void quietly(Closeable file) {
    try {
      file.close();
    } catch (IOException e) {
      logger.warn("a file that is done with cannot be closed: {}", e.toString());
    }
  }

  /**
   * Closes all parts in their order, also after a failure.
   *
   * @throws UnavailableException with the last failure
   */
  public static void all(List<AutoCloseable> parts) {
    RuntimeException failure = null;
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception e) {
        failure = new UnavailableException("the store closed with a failure: " + e, e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
