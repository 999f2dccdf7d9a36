package hourglass.load.client;

import hourglass.load.command.Figures;
import io.vertx.core.json.DecodeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of one request, as far as the client knows: a verdict, or a {@link PushFailure}. */
public sealed interface PushAnswer permits PushAnswer.Verdict, PushFailure {
  /**
   * A verdict on every event.
   *
   * @param rejectedIndexes those that were listed (100 at most), ascending
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared whole
  record Verdict(int accepted, int rejected, int untimed, int[] rejectedIndexes, String reason)
      implements PushAnswer {
    /**
     * Reads {@code {"accepted":997,"rejected":3,"errors":[{"index":12,"reason":"..."}]}}; null if
     * the body is no verdict.
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
      int[] indexes =
          errors.stream()
              .mapToDouble(error -> error.number("index"))
              .filter(index -> !Double.isNaN(index))
              .mapToInt(index -> (int) index)
              .sorted()
              .toArray();
      String reason =
          errors.stream()
              .map(error -> error.text("reason"))
              .filter(text -> !text.isEmpty())
              .findFirst()
              .orElse("");
      // An absent number becomes 0.
      int untimed = (int) json.number("untimed");
      return new Verdict((int) accepted, (int) rejected, untimed, indexes, reason);
    }
  }
}
