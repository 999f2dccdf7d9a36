package hourglass.load.client;

import hourglass.load.command.Figures;
import java.io.IOException;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** The outcome of one request, as far as the client knows. */
public sealed interface PushAnswer {
  /**
   * The target gave a verdict on every event.
   *
   * @param rejectedIndexes those of the rejected that were listed (100 at most), ascending
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared whole
  record Verdict(int accepted, int rejected, int untimed, int[] rejectedIndexes, String reason)
      implements PushAnswer {
    /**
     * Reads {@code {"accepted":997,"rejected":3,"errors":[{"index":12,"reason":"..."}]}}.
     *
     * @return null if the body is no verdict
     */
    static @Nullable Verdict read(byte[] body) {
      Figures json;
      try {
        json = Figures.parse(body);
      } catch (IOException notJson) {
        return null;
      }
      double accepted = json.number("accepted");
      double rejected = json.number("rejected");
      if (Double.isNaN(accepted + rejected)) {
        return null;
      }
      double[] indexes =
          json.objects("errors").stream()
              .mapToDouble(error -> error.number("index"))
              .filter(index -> !Double.isNaN(index))
              .sorted()
              .toArray();
      String reason =
          json.objects("errors").stream()
              .map(error -> error.text("reason"))
              .filter(text -> !text.isEmpty())
              .findFirst()
              .orElse("");
      double untimed = json.number("untimed");
      return new Verdict(
          (int) accepted,
          (int) rejected,
          Double.isNaN(untimed) ? 0 : (int) untimed,
          DoubleStream.of(indexes).mapToInt(index -> (int) index).toArray(),
          reason);
    }
  }

  /**
   * The target answered without taking the request.
   *
   * @param retryAfterMillis from its Retry-After, or -1
   */
  record Refused(int status, long retryAfterMillis, String detail) implements PushAnswer {}

  /** No connection: nothing was sent. */
  record NotSent(String detail) implements PushAnswer {}

  /** The connection broke, or there was no answer in time: the events may be stored or not. */
  record Ambiguous(String kind, String detail) implements PushAnswer {}
}
