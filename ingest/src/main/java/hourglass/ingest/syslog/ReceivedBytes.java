package hourglass.ingest.syslog;

import java.nio.ByteBuffer;

/** The received bytes of a connection that are not divided into messages yet. Not thread-safe. */
final class ReceivedBytes {
  private static final byte[] NOTHING = {};
  private static final int NONE = -1;
  private static final int CAPACITY_MIN = 4 << 10;

  /** The largest buffer that is kept for later messages. */
  private static final int CAPACITY_KEPT_MAX = 1 << 20;

  /** The length of the longest {@code <PRI>} with its version. */
  private static final int VERSIONED_BYTES_MAX = "<191>1 ".length();

  byte[] b = NOTHING;

  /**
   * The start of the bytes {@code [start, end)} that are not framed yet. No message ends before
   * {@code scanned}.
   */
  int start;

  int scanned;
  int end;

  /** The first line break in a message whose end is undecided; below 0 if there is none. */
  int firstBreak = NONE;

  void add(ByteBuffer chunk) {
    int length = chunk.remaining();
    if (b.length - end < length) {
      makeRoom(length);
    }
    chunk.get(b, end, length);
    end += length;
  }

  private void makeRoom(int length) {
    int held = held();
    int wanted = held + length;
    byte[] other = b;
    if (wanted > b.length) {
      other = new byte[Math.max(CAPACITY_MIN, Math.max(wanted, held == 0 ? 0 : 2 * held))];
    }
    System.arraycopy(b, start, other, 0, held);
    b = other;
    firstBreak = hasBreak() ? firstBreak - start : NONE;
    scanned -= start;
    start = 0;
    end = held;
  }

  int held() {
    return end - start;
  }

  boolean hasBreak() {
    return firstBreak != NONE;
  }

  /** Notes that the bytes before {@code at} are framed, and those after it were not searched. */
  void continueAt(int at) {
    start = at;
    scanned = at;
    firstBreak = NONE;
  }

  /** Passes over the bytes before {@code at}, which belong to no message. */
  void skipTo(int at) {
    start = at;
    scanned = Math.max(scanned, at);
  }

  void clear() {
    continueAt(0);
    end = 0;
    if (b.length > CAPACITY_KEPT_MAX) {
      b = NOTHING;
    }
  }

  /** Frees the memory if it contains no bytes. */
  void trim() {
    if (start == end) {
      clear();
      b = NOTHING;
    }
  }

  /** Returns whether a message of RFC 5424 begins here: {@code <165>1 }. */
  boolean isVersioned(int at) {
    int i = at + 1;
    while (i < end && i < at + 4 && b[i] >= '0' && b[i] <= '9') {
      i++;
    }
    return b[at] == '<'
        && i > at + 1
        && i + 2 < end
        && b[i] == '>'
        && b[i + 1] == '1'
        && b[i + 2] == ' ';
  }

  /** Returns whether there are too few bytes to know whether a message begins here. */
  boolean isCutShort(int at) {
    return b[at] == '<' && end - at < VERSIONED_BYTES_MAX;
  }
}
