package hourglass.load.client;

/** The outcome of one request, as far as the client knows. */
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
   * @param retryAfterMillis from its Retry-After, or -1
   */
  record Refused(int status, long retryAfterMillis, String detail) implements PushAnswer {}

  /** No connection: nothing was sent. */
  record NotSent(String detail) implements PushAnswer {}

  /** The connection broke, or there was no answer in time: the events may be stored or not. */
  record Ambiguous(String kind, String detail) implements PushAnswer {}
}
