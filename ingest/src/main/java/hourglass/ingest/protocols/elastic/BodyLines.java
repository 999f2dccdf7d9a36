package hourglass.ingest.protocols.elastic;

import hourglass.ingest.decode.Body;

/** Steps through the lines of a body that are not blank. Not thread-safe. */
final class BodyLines {
  private final Body body;
  private final byte[] b;
  private int from;
  private int to = -1;
  private int number;

  BodyLines(Body body) {
    this.body = body;
    this.b = body.bytes();
  }

  /** Moves to the next line. Returns false at the end, and stays on the last line. */
  boolean next() {
    int at = to + 1;
    int lineNumber = number;
    while (at < body.length()) {
      int end = body.lineEnd(at);
      lineNumber++;
      if (!isBlank(at, end)) {
        from = at;
        to = end;
        number = lineNumber;
        return true;
      }
      at = end + 1;
    }
    return false;
  }

  private boolean isBlank(int start, int end) {
    int i = start;
    while (i < end && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r')) {
      i++;
    }
    return i == end;
  }

  int from() {
    return from;
  }

  /** Returns the end of the line, before its line feed. */
  int to() {
    return to;
  }

  /** Returns the number of the line in the body, from 1. */
  int number() {
    return number;
  }
}
