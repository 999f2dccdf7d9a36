package hourglass.ingest.syslog;

import java.nio.ByteBuffer;

/**
 * Divides the bytes of a connection into messages, whatever the pieces in which they arrive. Not
 * thread-safe.
 *
 * <pre>
 * 11 &lt;13&gt;1 - - -...   RFC 6587: a length before each message, if the first byte is a digit
 * &lt;13&gt;app: text\n     lines; a NUL ends a line too
 * &lt;13&gt;app: te\nxt\0   Python: a NUL ends a message, and line breaks belong to it
 * &lt;13&gt;1 ...&lt;13&gt;1 ...  winston: nothing ends a message but the next one
 * </pre>
 *
 * <p>The first message of a connection decides between them, so it may have to wait for bytes after
 * it. A pause of the sender ends the wait.
 */
final class MessageFramer {
  private static final byte[] NOTHING = {};
  private static final int CAPACITY_MIN = 4 << 10;

  /** The largest buffer that is kept for later messages. */
  private static final int CAPACITY_KEPT_MAX = 1 << 20;

  /** The bytes of lines that may yet prove to be one message. */
  private static final int UNDECIDED_BYTES_MAX = 64 << 10;

  /** The most digits of a length. */
  private static final int COUNT_DIGITS_MAX = 9;

  private static final int NO_COUNT = -1;
  private static final int NONE = -1;

  /** The length of the longest {@code <PRI>} with its version. */
  private static final int VERSIONED_BYTES_MAX = "<191>1 ".length();

  private enum Mode {
    UNDECIDED,
    COUNTED,
    LINES,
    NULS,
    RUN_ON,
    DATAGRAMS
  }

  /** Whether more bytes may follow those that have arrived. */
  enum Rest {
    MORE,
    /** No bytes have arrived for a while. */
    QUIET,
    END
  }

  private final int messageBytesMax;
  private Mode mode;
  private byte[] b = NOTHING;

  /**
   * The start of the bytes {@code [start, end)} that are not framed yet. No message ends before
   * {@code scanned}.
   */
  private int start;

  private int scanned;
  private int end;

  /** The first line break in the message while the mode is undecided, or {@link #NONE}. */
  private int firstBreak = NONE;

  /** The bytes that remain of a counted message that was cut. */
  private int skip;

  /** Whether the rest of a message that was cut is passed over, up to its end. */
  private boolean passing;

  // These describe the last message:
  private int messageStart;
  private int from;
  private int to;
  private boolean truncated;

  /** The mode before the last message. */
  private Mode modeBefore;

  private MessageFramer(int messageBytesMax, Mode mode) {
    this.messageBytesMax = messageBytesMax;
    this.mode = mode;
    this.modeBefore = mode;
  }

  /** Creates a framer for a connection. Longer messages are cut. */
  static MessageFramer ofStream(int messageBytesMax) {
    return new MessageFramer(messageBytesMax, Mode.UNDECIDED);
  }

  /** Creates a framer for datagrams. Each message follows its length, an int. */
  static MessageFramer ofDatagrams(int messageBytesMax) {
    return new MessageFramer(messageBytesMax, Mode.DATAGRAMS);
  }

  void add(ByteBuffer chunk) {
    int length = chunk.remaining();
    if (b.length - end < length) {
      makeRoom(length);
    }
    chunk.get(b, end, length);
    end += length;
  }

  private void makeRoom(int length) {
    int held = end - start;
    int wanted = held + length;
    byte[] other = b;
    if (wanted > b.length) {
      other = new byte[Math.max(CAPACITY_MIN, Math.max(wanted, held == 0 ? 0 : 2 * held))];
    }
    System.arraycopy(b, start, other, 0, held);
    b = other;
    firstBreak = firstBreak == NONE ? NONE : firstBreak - start;
    scanned -= start;
    start = 0;
    end = held;
  }

  /** Returns the number of bytes that are not framed yet. */
  int held() {
    return end - start;
  }

  byte[] bytes() {
    return b;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /** Returns whether the message is the beginning of a longer one. */
  boolean isTruncated() {
    return truncated;
  }

  /** Gives back the last message, so that it is read again. */
  void back() {
    start = messageStart;
    scanned = messageStart;
    firstBreak = NONE;
    mode = modeBefore;
    skip = 0;
    passing = false;
  }

  /** Moves to the next message. Returns false if there is none yet. */
  boolean next(Rest rest) {
    while (true) {
      if (mode != Mode.DATAGRAMS && !passSeparators()) {
        return false;
      }
      if (start == end) {
        empty();
        return false;
      }
      messageStart = start;
      modeBefore = mode;
      truncated = false;
      if (!find(rest)) {
        return false;
      }
      scanned = start;
      firstBreak = NONE;
      if (from < to) {
        return true;
      }
    }
  }

  private void empty() {
    start = 0;
    scanned = 0;
    end = 0;
    firstBreak = NONE;
    if (b.length > CAPACITY_KEPT_MAX) {
      b = NOTHING;
    }
  }

  /** Frees the memory of an empty framer. */
  void trim() {
    if (start == end) {
      empty();
      b = NOTHING;
    }
  }

  /**
   * Passes over the rest of a cut message and empty lines. Returns false if the rest has not
   * arrived wholly.
   */
  private boolean passSeparators() {
    int skipped = Math.min(skip, end - start);
    start += skipped;
    skip -= skipped;
    scanned = Math.max(scanned, start);
    if (passing) {
      int at = scanned;
      while (at < end && !isEnd(at)) {
        if (mode == Mode.RUN_ON && isCutShort(at)) {
          break;
        }
        at++;
      }
      start = at;
      scanned = at;
      if (at == end || !isEnd(at)) {
        return false;
      }
      passing = false;
    }
    while (start < end && (b[start] == '\n' || b[start] == 0 || b[start] == '\r')) {
      start++;
    }
    if (scanned < start) {
      scanned = start;
    }
    return true;
  }

  /** Returns whether a cut message ends here. */
  private boolean isEnd(int at) {
    return switch (mode) {
      case NULS -> b[at] == 0;
      case RUN_ON -> b[at] == 0 || isVersioned(at);
      default -> b[at] == 0 || b[at] == '\n';
    };
  }

  private boolean find(Rest rest) {
    if (mode == Mode.DATAGRAMS) {
      return datagram();
    }
    if (mode == Mode.UNDECIDED || mode == Mode.COUNTED) {
      int header = countBytes(rest);
      if (header == 0) {
        return false;
      }
      if (header != NO_COUNT) {
        mode = Mode.COUNTED;
        return counted(start + header, rest);
      }
      if (mode == Mode.COUNTED) {
        mode = Mode.LINES; // a wrong length: the text goes on somewhere
      }
    }
    return mode == Mode.UNDECIDED ? undecided(rest) : terminated(rest);
  }

  private boolean datagram() {
    int length =
        (b[start] & 0xff) << 24
            | (b[start + 1] & 0xff) << 16
            | (b[start + 2] & 0xff) << 8
            | b[start + 3] & 0xff;
    int at = start + Integer.BYTES;
    message(at, at + Math.min(length, messageBytesMax), at + length);
    truncated = length > messageBytesMax;
    return true;
  }

  /**
   * Returns the length of {@code 123 } before a message; {@link #NO_COUNT} if there is none; 0 if
   * more bytes must decide.
   */
  private int countBytes(Rest rest) {
    int at = start;
    while (at < end && at - start <= COUNT_DIGITS_MAX && b[at] >= '0' && b[at] <= '9') {
      at++;
    }
    int digits = at - start;
    if (digits == 0 || digits > COUNT_DIGITS_MAX || b[start] == '0') {
      return NO_COUNT;
    }
    boolean mayBe = at == end || b[at] == ' ' && at + 1 == end;
    if (mayBe) {
      return rest == Rest.END && mode == Mode.UNDECIDED ? NO_COUNT : 0;
    }
    return b[at] == ' ' && b[at + 1] == '<' ? digits + 1 : NO_COUNT;
  }

  private boolean counted(int at, Rest rest) {
    int count = 0;
    for (int i = start; b[i] != ' '; i++) {
      count = count * 10 + b[i] - '0';
    }
    int kept = Math.min(count, messageBytesMax);
    if (end - at < kept) {
      if (rest != Rest.END) {
        return false;
      }
      message(at, end, end);
      truncated = true;
      return true;
    }
    message(at, at + kept, at + kept);
    skip = count - kept;
    truncated = skip > 0;
    return true;
  }

  private boolean terminated(Rest rest) {
    int limit = start + messageBytesMax;
    int last = Math.min(limit, end - 1);
    int i = scanned;
    if (mode == Mode.LINES) {
      while (i <= last && b[i] != '\n' && b[i] != 0) {
        i++;
      }
    } else {
      while (i <= last && b[i] != 0) {
        if (mode == Mode.RUN_ON && b[i] == '<' && i > start) {
          if (isVersioned(i)) {
            message(start, i, i);
            return true;
          }
          if (rest == Rest.MORE && isCutShort(i)) {
            scanned = i;
            return false;
          }
        }
        i++;
      }
    }
    if (i <= last) {
      message(start, i, i + 1);
      return true;
    }
    if (i > limit) {
      return cut(limit);
    }
    scanned = i;
    boolean isWhole = rest == Rest.END || rest == Rest.QUIET && mode == Mode.RUN_ON;
    if (isWhole) {
      message(start, end, end);
    }
    return isWhole;
  }

  /** Finds the first message of a connection, which decides the mode. */
  private boolean undecided(Rest rest) {
    boolean hasPriority = b[start] == '<';
    int limit = undecidedLimit();
    int i = scanned;
    while (i < end && i <= limit) {
      byte c = b[i];
      if (c == 0) {
        mode = firstBreak == NONE && !hasPriority ? Mode.LINES : Mode.NULS;
        message(start, i, i + 1);
        return true;
      }
      if (c == '\n') {
        if (!hasPriority || i + 1 < end && b[i + 1] == '<') {
          return lines(firstBreak == NONE ? i : firstBreak);
        }
        firstBreak = firstBreak == NONE ? i : firstBreak;
        limit = undecidedLimit();
        if (i + 1 == end) {
          break;
        }
      }
      if (c == '<' && i > start && firstBreak == NONE && isVersioned(start)) {
        if (isVersioned(i)) {
          mode = Mode.RUN_ON;
          message(start, i, i);
          return true;
        }
        if (rest == Rest.MORE && isCutShort(i)) {
          break;
        }
      }
      i++;
    }
    scanned = i;
    if (firstBreak != NONE && (i > limit || rest != Rest.MORE)) {
      return lines(firstBreak);
    }
    if (i > limit) {
      mode = Mode.LINES;
      return cut(limit);
    }
    if (rest != Rest.MORE) {
      message(start, end, end);
      return true;
    }
    return false;
  }

  /** Returns the position at which the search for the end of the first message ends. */
  private int undecidedLimit() {
    int limit = start + messageBytesMax;
    return firstBreak == NONE
        ? limit
        : Math.min(limit, Math.max(start + UNDECIDED_BYTES_MAX, firstBreak));
  }

  private boolean lines(int lineEnd) {
    mode = Mode.LINES;
    message(start, lineEnd, lineEnd + 1);
    return true;
  }

  private boolean cut(int limit) {
    message(start, limit, limit);
    truncated = true;
    passing = true;
    return true;
  }

  /** Sets the message, without the line break at its end. */
  private void message(int messageFrom, int messageTo, int next) {
    from = messageFrom;
    to = messageTo;
    start = next;
  }

  /** Returns whether a message of RFC 5424 begins here: {@code <165>1 }. */
  private boolean isVersioned(int at) {
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
  private boolean isCutShort(int at) {
    return b[at] == '<' && end - at < VERSIONED_BYTES_MAX;
  }
}
