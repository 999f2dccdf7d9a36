package hourglass.access;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes the names of requests, for answers, logs and the audit file. A client may name a request
 * itself.
 *
 * <p>Names distinguish requests and protect nothing, so a counter after a random prefix will do.
 */
public final class RequestId {
  /** The header of the name, in requests that have one and in every answer. */
  public static final String HEADER = "X-Request-Id";

  private static final int LENGTH_MAX = 128;
  private static final int PREFIX_LENGTH = 8;

  private static final String PREFIX =
      UUID.randomUUID().toString().substring(0, PREFIX_LENGTH) + "-";
  private static final AtomicLong MADE = new AtomicLong();

  private RequestId() {}

  /** Returns the name that the client sent, if every log may contain it; else a new one. */
  public static String of(@Nullable String sent) {
    return sent != null && isName(sent) && !SecretText.isIn(sent) ? sent : next();
  }

  /** Returns a new name, such as for a request that cannot be read. */
  public static String next() {
    return PREFIX + MADE.incrementAndGet();
  }

  private static boolean isName(String text) {
    if (text.isEmpty() || text.length() > LENGTH_MAX) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (!isNamed(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isNamed(char c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '.'
        || c == '_'
        || c == '-';
  }
}
