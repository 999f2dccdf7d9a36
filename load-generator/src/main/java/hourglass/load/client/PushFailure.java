package hourglass.load.client;

import java.util.function.BooleanSupplier;

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
 */
public record PushFailure(
    String kind, String detail, long retryAfterMillis, Again again, boolean unsure) {
  private enum Again {
    ALWAYS,
    IF_SAFE,
    NEVER
  }

  public static PushFailure of(PushAnswer answer) {
    if (answer instanceof PushAnswer.Refused refused) {
      return ofStatus(refused);
    }
    if (answer instanceof PushAnswer.Ambiguous ambiguous) {
      return new PushFailure(ambiguous.kind(), ambiguous.detail(), -1, Again.IF_SAFE, true);
    }
    if (answer instanceof PushAnswer.NotSent notSent) {
      return new PushFailure("no connection", notSent.detail(), -1, Again.ALWAYS, false);
    }
    throw new IllegalArgumentException("a verdict is no trouble: " + answer);
  }

  private static PushFailure ofStatus(PushAnswer.Refused refused) {
    int status = refused.status();
    String kind = "status " + status;
    if (status == 429 || status == 503) {
      return new PushFailure(
          kind, refused.detail(), refused.retryAfterMillis(), Again.ALWAYS, status == 503);
    }
    boolean unsure = status >= 500 || status < 400;
    return new PushFailure(
        kind, refused.detail(), -1, unsure ? Again.IF_SAFE : Again.NEVER, unsure);
  }

  public boolean mayRetry(BooleanSupplier safe) {
    return again == Again.ALWAYS || again == Again.IF_SAFE && safe.getAsBoolean();
  }

  /** Whether every other batch would fare alike. */
  public boolean isFinal() {
    return again == Again.NEVER;
  }

  @Override
  public String toString() {
    return detail.isEmpty() ? kind : kind + ": " + detail;
  }
}
