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
  /** The bytes of lines that may yet prove to be one message. */
  private static final int UNDECIDED_BYTES_MAX = 64 << 10;

  /** The most digits of a length. */
  private static final int COUNT_DIGITS_MAX = 9;

  private static final int NO_COUNT = -1;

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
  private final ReceivedBytes in = new ReceivedBytes();
  private Mode mode;

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
    in.add(chunk);
  }

  /** Returns the number of bytes that are not framed yet. */
  int held() {
    return in.held();
  }

  byte[] bytes() {
    return in.b;
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
    in.continueAt(messageStart);
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
      if (in.held() == 0) {
        in.clear();
        return false;
      }
      messageStart = in.start;
      modeBefore = mode;
      truncated = false;
      if (!find(rest)) {
        return false;
      }
      if (from < to) {
        return true;
      }
    }
  }

  /** Frees the memory of an empty framer. */
  void trim() {
    in.trim();
  }

  /**
   * Passes over the rest of a cut message and empty lines. Returns false if the rest has not
   * arrived wholly.
   */
  private boolean passSeparators() {
    int skipped = Math.min(skip, in.held());
    in.skipTo(in.start + skipped);
    skip -= skipped;
    if (passing) {
      int at = in.scanned;
      while (at < in.end && !isEnd(at)) {
        if (mode == Mode.RUN_ON && in.isCutShort(at)) {
          break;
        }
        at++;
      }
      in.skipTo(at);
      if (at == in.end || !isEnd(at)) {
        return false;
      }
      passing = false;
    }
    byte[] b = in.b;
    int at = in.start;
    while (at < in.end && (b[at] == '\n' || b[at] == 0 || b[at] == '\r')) {
      at++;
    }
    in.skipTo(at);
    return true;
  }

  /** Returns whether a cut message ends here. */
  private boolean isEnd(int at) {
    byte[] b = in.b;
    return switch (mode) {
      case NULS -> b[at] == 0;
      case RUN_ON -> b[at] == 0 || in.isVersioned(at);
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
        return counted(in.start + header, rest);
      }
      if (mode == Mode.COUNTED) {
        mode = Mode.LINES; // a wrong length: the text goes on somewhere
      }
    }
    return mode == Mode.UNDECIDED ? undecided(rest) : terminated(rest);
  }

  private boolean datagram() {
    byte[] b = in.b;
    int length =
        (b[in.start] & 0xff) << 24
            | (b[in.start + 1] & 0xff) << 16
            | (b[in.start + 2] & 0xff) << 8
            | b[in.start + 3] & 0xff;
    int at = in.start + Integer.BYTES;
    message(at, at + Math.min(length, messageBytesMax), at + length);
    truncated = length > messageBytesMax;
    return true;
  }

  /**
   * Returns the length of {@code 123 } before a message; {@link #NO_COUNT} if there is none; 0 if
   * more bytes must decide.
   */
  private int countBytes(Rest rest) {
    byte[] b = in.b;
    int at = in.start;
    while (at < in.end && at - in.start <= COUNT_DIGITS_MAX && b[at] >= '0' && b[at] <= '9') {
      at++;
    }
    int digits = at - in.start;
    if (digits == 0 || digits > COUNT_DIGITS_MAX || b[in.start] == '0') {
      return NO_COUNT;
    }
    boolean mayBe = at == in.end || b[at] == ' ' && at + 1 == in.end;
    if (mayBe) {
      return rest == Rest.END && mode == Mode.UNDECIDED ? NO_COUNT : 0;
    }
    return b[at] == ' ' && b[at + 1] == '<' ? digits + 1 : NO_COUNT;
  }

  private boolean counted(int at, Rest rest) {
    int count = 0;
    for (int i = in.start; in.b[i] != ' '; i++) {
      count = count * 10 + in.b[i] - '0';
    }
    int kept = Math.min(count, messageBytesMax);
    if (in.end - at < kept) {
      if (rest != Rest.END) {
        return false;
      }
      message(at, in.end, in.end);
      truncated = true;
      return true;
    }
    message(at, at + kept, at + kept);
    skip = count - kept;
    truncated = skip > 0;
    return true;
  }

  private boolean terminated(Rest rest) {
    byte[] b = in.b;
    int limit = in.start + messageBytesMax;
    int last = Math.min(limit, in.end - 1);
    int i = in.scanned;
    if (mode == Mode.LINES) {
      while (i <= last && b[i] != '\n' && b[i] != 0) {
        i++;
      }
    } else {
      while (i <= last && b[i] != 0) {
        if (mode == Mode.RUN_ON && b[i] == '<' && i > in.start) {
          if (in.isVersioned(i)) {
            message(in.start, i, i);
            return true;
          }
          if (rest == Rest.MORE && in.isCutShort(i)) {
            in.scanned = i;
            return false;
          }
        }
        i++;
      }
    }
    if (i <= last) {
      message(in.start, i, i + 1);
      return true;
    }
    if (i > limit) {
      return cut(limit);
    }
    in.scanned = i;
    boolean isWhole = rest == Rest.END || rest == Rest.QUIET && mode == Mode.RUN_ON;
    if (isWhole) {
      message(in.start, in.end, in.end);
    }
    return isWhole;
  }

  /** Finds the first message of a connection, which decides the mode. */
  private boolean undecided(Rest rest) {
    byte[] b = in.b;
    boolean hasPriority = b[in.start] == '<';
    int limit = undecidedLimit();
    int i = in.scanned;
    while (i < in.end && i <= limit) {
      byte c = b[i];
      if (c == 0) {
        mode = !in.hasBreak() && !hasPriority ? Mode.LINES : Mode.NULS;
        message(in.start, i, i + 1);
        return true;
      }
      if (c == '\n') {
        if (!hasPriority || i + 1 < in.end && b[i + 1] == '<') {
          return lines(in.hasBreak() ? in.firstBreak : i);
        }
        in.firstBreak = in.hasBreak() ? in.firstBreak : i;
        limit = undecidedLimit();
        if (i + 1 == in.end) {
          break;
        }
      }
      if (c == '<' && i > in.start && !in.hasBreak() && in.isVersioned(in.start)) {
        if (in.isVersioned(i)) {
          mode = Mode.RUN_ON;
          message(in.start, i, i);
          return true;
        }
        if (rest == Rest.MORE && in.isCutShort(i)) {
          break;
        }
      }
      i++;
    }
    in.scanned = i;
    if (in.hasBreak() && (i > limit || rest != Rest.MORE)) {
      return lines(in.firstBreak);
    }
    if (i > limit) {
      mode = Mode.LINES;
      return cut(limit);
    }
    if (rest != Rest.MORE) {
      message(in.start, in.end, in.end);
      return true;
    }
    return false;
  }

  /** Returns the position at which the search for the end of the first message ends. */
  private int undecidedLimit() {
    int limit = in.start + messageBytesMax;
    return in.hasBreak()
        ? Math.min(limit, Math.max(in.start + UNDECIDED_BYTES_MAX, in.firstBreak))
        : limit;
  }

  private boolean lines(int lineEnd) {
    mode = Mode.LINES;
    message(in.start, lineEnd, lineEnd + 1);
    return true;
  }

  private boolean cut(int limit) {
    message(in.start, limit, limit);
    truncated = true;
    passing = true;
    return true;
  }

  /** Sets the message, without the line break at its end. */
  private void message(int messageFrom, int messageTo, int next) {
    from = messageFrom;
    to = messageTo;
    in.continueAt(next);
  }
}
