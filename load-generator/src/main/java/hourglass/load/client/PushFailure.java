package hourglass.load.client;

import hourglass.load.command.Limits;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request without a verdict, and whether it may be sent again.
 *
 * <pre>
 *   answer             stored?   again?                              run goes on?
 *   no connection      no        yes                                 while it may come back
 *   429, 503           no (*)    yes, after Retry-After              while it may come back
 *   other 5xx, cut,    unknown   only if every event has a time      yes
 *     timeout                    and an identity
 *   other 4xx          no        no                                  no: the next one fares alike
 *
 *   (*) a 503 in the midst of storing can leave a part: given up, its events are unknown
 * </pre>
 *
 * @param retryAfterMillis from the target's Retry-After, or -1
 */
public record PushFailure(
    String kind, String detail, long retryAfterMillis, Again again, boolean unsure)
    implements PushAnswer {
  private enum Again {
    ALWAYS,
    IF_SAFE,
    NEVER
  }

  static PushFailure notSent(String detail) {
    return new PushFailure("no connection", detail, -1, Again.ALWAYS, false);
  }

  /** The events may be stored or not. */
  static PushFailure ambiguous(String kind, String detail) {
    return new PushFailure(kind, detail, -1, Again.IF_SAFE, true);
  }

  static PushFailure ofStatus(int status, @Nullable String retryAfter, String detail) {
    String kind = "status " + status;
    if (status == 429 || status == 503) {
      return new PushFailure(kind, detail, millis(retryAfter), Again.ALWAYS, status == 503);
    }
    boolean unsure = status >= 500 || status < 400;
    return new PushFailure(kind, detail, -1, unsure ? Again.IF_SAFE : Again.NEVER, unsure);
  }

  /** Reads seconds; -1 for any other, since clocks differ about a date. */
  private static long millis(@Nullable String retryAfter) {
    if (retryAfter == null || !retryAfter.strip().matches("\\d{1,9}(\\.\\d{1,3})?")) {
      return -1;
    }
    double millis = Double.parseDouble(retryAfter) * 1000;
    return (long) Math.min(millis, Limits.RETRY_AFTER_MILLIS_MAX);
  }

  public boolean mayRetry(BooleanSupplier safe) {
    return again == Again.ALWAYS || again == Again.IF_SAFE && safe.getAsBoolean();
  }

  public boolean isFinal() {
    return again == Again.NEVER;
  }

  @Override
  public String toString() {
    return detail.isEmpty() ? kind : kind + ": " + detail;
  }
}
