package hourglass.ingest.protocols.journal;

import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.Memory;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.http.StreamDecoder;
import io.vertx.core.buffer.Buffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads the export format of the journal, however it is cut into pieces.
 *
 * <pre>
 * entry  = 1*field LF
 * field  = NAME "=" text LF                              text without a line feed
 *        / NAME LF length(8, little-endian) bytes LF
 * </pre>
 *
 * <p>An entry stays in one array until its end. Values that are too large for an event are not
 * kept, and use no memory. The format is described at
 * https://systemd.io/JOURNAL_EXPORT_FORMATS/#journal-export-format.
 */
final class EntryReader implements StreamDecoder {
  /** The longest name that is read. It is longer than any: journald allows 64. */
  static final int NAME_BYTES_MAX = 1024;

  /**
   * The longest value, as in systemd. A larger length is no length, but the beginning of something
   * else.
   */
  static final long VALUE_BYTES_MAX = 768L << 20;

  private static final int CAPACITY_MIN = 4096;

  /** The largest array that is kept while it is empty. */
  private static final int CAPACITY_KEPT = 128 << 10;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private enum State {
    /** The next byte is inside of a line. */
    LINE,
    /** The next byte is the first of a value's length. */
    LENGTH,
    /** The next byte is inside of a value with a length. */
    VALUE,
    /** The next byte is inside of a line that is not kept. */
    LOST_LINE,
    /** The next byte is inside of a value with a length that is not kept. */
    LOST_VALUE
  }

  private final Memory memory;
  private final Entry entry;

  /** The most bytes of all values of one entry. A single value may use half of them. */
  private final int entryBytesMax;

  private byte[] b = {};
  private int length;

  /** The beginning of the current entry; {@code line} is that of its current line or value. */
  private int from;

  private int line;

  /** The position up to which the bytes have been read. */
  private int at;

  /** Whether the array already contains the piece that is being read. */
  private boolean hasPiece;

  private State state = State.LINE;

  /**
   * The end of the current value's name; {@code rest} is the number of its bytes that are still
   * missing.
   */
  private int nameTo;

  private long rest;

  EntryReader(Memory memory, int maxEventBytes) {
    this.memory = memory;
    this.entryBytesMax = maxEventBytes;
    this.entry = new Entry(maxEventBytes);
  }

  @Override
  public void read(Buffer piece, ConvertedEvents events) {
    if (!hasPiece) {
      append(piece);
      hasPiece = true;
    }
    while (step(events)) {
      // Each step reads a line, a value or a part of one. If it throws, it is repeated.
    }
    hasPiece = false;
    compact();
  }

  private void append(Buffer piece) {
    long wanted = (long) length + piece.length();
    if (wanted > b.length) {
      int capacity = (int) Math.max(CAPACITY_MIN, Math.max(wanted, 2L * length));
      memory.reserve(capacity);
      byte[] grown = new byte[capacity];
      System.arraycopy(b, 0, grown, 0, length);
      memory.subtract(b.length);
      b = grown;
    }
    piece.getBytes(0, piece.length(), b, length);
    length += piece.length();
  }

  /** Removes all but the current entry. */
  private void compact() {
    if (from > 0) {
      System.arraycopy(b, from, b, 0, length - from);
      entry.moveBy(-from);
      length -= from;
      line -= from;
      at -= from;
      nameTo -= from;
      from = 0;
    }
    if (length == 0 && b.length > CAPACITY_KEPT) {
      memory.subtract(b.length);
      b = new byte[0];
    }
  }

  /** Reads a step. Returns false if it needs more bytes. */
  private boolean step(ConvertedEvents events) {
    return switch (state) {
      case LINE -> line(events);
      case LENGTH -> length();
      case VALUE -> value();
      case LOST_LINE -> lostLine();
      case LOST_VALUE -> lostValue();
    };
  }

  private boolean line(ConvertedEvents events) {
    int end = lineEnd();
    if (end == line) {
      entry.addTo(events, b);
      line = ++at;
      from = line;
      return true;
    }
    int until = end < 0 ? length : end;
    int equals = equalsSign(until);
    if (equals < 0 && until - line > NAME_BYTES_MAX) {
      throw new PushRefused(400, "entry: a line without the name of a field");
    }
    if (equals >= 0 && isTooLarge(equals + 1, (long) until - equals - 1)) {
      at = equals + 1;
      put(equals, Entry.NO_VALUE, Entry.NO_VALUE);
      state = State.LOST_LINE;
      return true;
    }
    if (end < 0) {
      at = length;
      return false;
    }
    at = end + 1;
    if (equals < 0) {
      nameTo = end;
      state = State.LENGTH;
    } else {
      put(equals, equals + 1, end);
    }
    return true;
  }

  private int lineEnd() {
    for (int i = at; i < length; i++) {
      if (b[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** Returns the position of an equals sign in the current line, where a name may end; or -1. */
  private int equalsSign(int until) {
    int last = Math.min(until, line + NAME_BYTES_MAX + 1);
    for (int i = line; i < last; i++) {
      if (b[i] == '=') {
        return i;
      }
    }
    return -1;
  }

  private boolean isTooLarge(int valueFrom, long bytes) {
    return bytes > entryBytesMax / 2 || valueFrom - from + bytes > 2L * entryBytesMax;
  }

  /** Adds the field whose name ends at {@code to}. The next line begins at the current position. */
  private void put(int to, int valueFrom, int valueTo) {
    entry.put(b, line, to, valueFrom, valueTo);
    line = at;
    if (entry.isOver()) {
      from = line; // nothing before it is needed any more
    }
  }

  private boolean length() {
    if (length - at < Long.BYTES) {
      return false;
    }
    long bytes = (long) LONGS.get(b, at);
    if (bytes < 0 || bytes > VALUE_BYTES_MAX) {
      throw new PushRefused(400, "entry: a value of " + Long.toUnsignedString(bytes) + " bytes");
    }
    at += Long.BYTES;
    rest = bytes;
    if (isTooLarge(at, bytes)) {
      put(nameTo, Entry.NO_VALUE, Entry.NO_VALUE);
      state = State.LOST_VALUE;
    } else {
      state = State.VALUE;
    }
    return true;
  }

  private boolean value() {
    int to = at + (int) rest;
    if (to >= length) {
      return false;
    }
    checkEnd(to);
    int valueFrom = at;
    at = to + 1;
    put(nameTo, valueFrom, to);
    state = State.LINE;
    return true;
  }

  private void checkEnd(int at) {
    if (b[at] != '\n') {
      throw new PushRefused(400, "entry: no line feed behind a value");
    }
  }

  private boolean lostLine() {
    int end = lineEnd();
    lose(end < 0 ? length : end + 1);
    state = end < 0 ? State.LOST_LINE : State.LINE;
    return end >= 0;
  }

  private boolean lostValue() {
    int lost = (int) Math.min(rest, length - at);
    rest -= lost;
    lose(at + lost);
    if (rest > 0 || at == length) {
      return false;
    }
    checkEnd(at);
    lose(at + 1);
    state = State.LINE;
    return true;
  }

  /** Removes the bytes from the current position to {@code to} from the array. */
  private void lose(int to) {
    System.arraycopy(b, to, b, at, length - to);
    length -= to - at;
    line = at;
  }

  /** Ends the body. Lines without an empty one after them are an entry too. */
  @Override
  public void end(ConvertedEvents events) {
    if (state == State.LINE && line == length) {
      entry.addTo(events, b);
    } else {
      events.refuse(Reason.BODY_UNREADABLE, "entry: it ends too early");
    }
  }
}
