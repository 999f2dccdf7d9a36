package hourglass.load.client;

import hourglass.load.command.Figures;
import hourglass.load.command.LoadLimits;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The outcome of one request as far as the client knows: a verdict, or a failure. */
public sealed interface PushAnswer {
  /**
   * A verdict on every event.
   *
   * @param rejectedIndexes the rejected events that were listed (at most 100 for each reason),
   *     ascending
   * @param reason the reason for some of them, or empty
   * @param answer the whole answer of the target
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared whole
  record Verdict(
      int accepted, int rejected, int untimed, int[] rejectedIndexes, String reason, Figures answer)
      implements PushAnswer {
    /** Returns the verdict that all events of a batch are stored. */
    public static Verdict all(int events) {
      return new Verdict(events, 0, 0, new int[0], "", new Figures(new JsonObject()));
    }

    /**
     * Reads {@code {"accepted":997,"rejected":3,"errors":[{"index":12,"reason":"...","count":3,
     * "indexes":[12,15,40]}]}}. Returns null if the body is not a verdict.
     */
    static @Nullable Verdict read(byte[] body) {
      Figures json;
      try {
        json = Figures.parse(body);
      } catch (DecodeException notJson) {
        return null;
      }
      double accepted = json.number("accepted");
      double rejected = json.number("rejected");
      if (Double.isNaN(accepted + rejected)) {
        return null;
      }
      List<Figures> errors = json.objects("errors");
      int[] indexes = errors.stream().flatMapToInt(Verdict::indexes).sorted().toArray();
      String reason =
          errors.stream()
              .map(error -> error.text("reason"))
              .filter(text -> !text.isEmpty())
              .findFirst()
              .orElse("");
      // A missing number becomes 0.
      int untimed = (int) json.number("untimed");
      return new Verdict((int) accepted, (int) rejected, untimed, indexes, reason, json);
    }

    /** Returns the places of the events that were rejected for one reason. */
    public static IntStream indexes(Figures error) {
      List<Double> listed = error.numbers("indexes");
      List<Double> all = listed.isEmpty() ? List.of(error.number("index")) : listed;
      return all.stream().filter(index -> !index.isNaN()).mapToInt(Double::intValue);
    }
  }

  /**
   * A request without a verdict, and whether it may be sent again.
   *
   * <pre>
   *   answer             stored?   again?                              run continues?
   *   no connection      no        yes                                 until the batch is given up
   *   429, 503           no (*)    yes, after Retry-After              until the batch is given up
   *   other 5xx, cut,    unknown   only if every event has a time      yes
   *     timeout                    and an identity
   *   other 4xx          no        no                                  no: the next one would fail too
   *
   *   (*) a 503 during storing can leave a part: if it is given up, its events are unknown
   * </pre>
   *
   * @param retryAfterMillis from the target's Retry-After, or -1
   */
  record Failure(String kind, String detail, long retryAfterMillis, Again again, boolean unsure)
      implements PushAnswer {
    private static final String NO_CONNECTION = "no connection";

    private enum Again {
      ALWAYS,
      IF_SAFE,
      NEVER
    }

    static Failure notSent(String detail) {
      return new Failure(NO_CONNECTION, detail, -1, Again.ALWAYS, false);
    }

    /** Returns a failure after which the events may be stored or not. */
    static Failure ambiguous(String kind, String detail) {
      return new Failure(kind, detail, -1, Again.IF_SAFE, true);
    }

    static Failure ofStatus(int status, @Nullable String retryAfter, String detail) {
      String kind = "status " + status;
      if (status == 429 || status == 503) {
        return new Failure(kind, detail, millis(retryAfter), Again.ALWAYS, status == 503);
      }
      boolean unsure = status >= 500 || status < 400;
      return new Failure(kind, detail, -1, unsure ? Again.IF_SAFE : Again.NEVER, unsure);
    }

    /** Reads seconds. Returns -1 for any other form, since a date depends on the clock. */
    private static long millis(@Nullable String retryAfter) {
      if (retryAfter == null || !retryAfter.strip().matches("\\d{1,9}(\\.\\d{1,3})?")) {
        return -1;
      }
      double millis = Double.parseDouble(retryAfter) * 1000;
      return (long) Math.min(millis, LoadLimits.RETRY_AFTER_MILLIS_MAX);
    }

    public boolean mayRetry(BooleanSupplier safe) {
      return again == Again.ALWAYS || again == Again.IF_SAFE && safe.getAsBoolean();
    }

    /** Returns whether no target was reached. */
    public boolean isUnreached() {
      return kind.equals(NO_CONNECTION);
    }

    public boolean isFinal() {
      return again == Again.NEVER;
    }

    @Override
    public String toString() {
      return detail.isEmpty() ? kind : kind + ": " + detail;
    }
  }
}
