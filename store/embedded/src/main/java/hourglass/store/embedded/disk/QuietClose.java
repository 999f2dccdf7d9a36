package hourglass.store.embedded.disk;

import java.io.Closeable;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes files whose content was forced, or does not count: a failure changes nothing then, and
 * must not make a commit that is on disk look like one that failed.
 */
public final class QuietClose {
  private static final Logger log = LoggerFactory.getLogger(QuietClose.class);

  private QuietClose() {}

  public static void quietly(Closeable file) {
    try {
      file.close();
    } catch (IOException e) {
      log.warn("a file that is done with cannot be closed: {}", e.toString());
    }
  }
}
