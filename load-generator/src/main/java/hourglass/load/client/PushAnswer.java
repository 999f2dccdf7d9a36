package hourglass.load.client;

/** What became of one request, as far as this side knows. */
public sealed interface PushAnswer {
  /**
   * The target gave a verdict on every event.
   *
   * @param rejectedIndexes those of the rejected that were listed (100 at most), ascending
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared whole
  record Verdict(int accepted, int rejected, int untimed, int[] rejectedIndexes, String reason)
      implements PushAnswer {}

  /**
   * The target answered without taking the request.
   *
   * @param retryAfterMillis what it asked for, or -1
   */
  record Refused(int status, long retryAfterMillis, String detail) implements PushAnswer {}

  /** No connection: nothing was sent. */
  record NotSent(String detail) implements PushAnswer {}

  /** The connection broke, or no answer came in time: the events may be stored or not. */
  record Ambiguous(String kind, String detail) implements PushAnswer {}
}
