package hourglass.load;

/**
 * One request, built before it is sent.
 *
 * @param index number of the batch in its source, from 0
 * @param firstEvent how many events of the source come before it
 * @param events how many lines it holds, at least 1
 * @param lines the events, one JSON text a line, each line with its line break
 * @param body what goes over the wire: {@code lines} itself, or its gzip form
 */
@SuppressWarnings("ArrayRecordComponent") // never compared whole
record Batch(int index, long firstEvent, int events, byte[] lines, byte[] body) {
  static Batch plain(int index, long firstEvent, int events, byte[] lines) {
    return new Batch(index, firstEvent, events, lines, lines);
  }

  Batch withBody(byte[] encoded) {
    return new Batch(index, firstEvent, events, lines, encoded);
  }

  /** Memory it holds. */
  long heldBytes() {
    return body == lines ? lines.length : (long) lines.length + body.length;
  }
}
