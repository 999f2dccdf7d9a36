package hourglass.ingest.decode;

import hourglass.bytes.JsonScanner;
import hourglass.bytes.JsonWriter;
import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a text. Each is an event, {@code {"message":"..."}}, with its own time if it has
 * one:
 *
 * <pre>
 * 2026-11-20T08:30:00Z ERROR failed      its own time
 * java.io.IOException: closed            that of the line before, and stored after it
 *     at shop.Cart.pay(Cart.java:12)
 * {"type":"checkout","n":1}              an event of its own, as in NDJSON
 * {"type":                               rejected: what begins like JSON is never text
 * </pre>
 *
 * <p>A line without a time gets that of the line before, be it text or JSON. It gets none if that
 * line has none either: because it contains no time, is rejected JSON, or its time lacks a zone.
 */
final class TextItems extends ItemCursor {
  private static final JsonWriter.Key MESSAGE = JsonWriter.Key.of("message");

  /** The most bytes that a byte of a line becomes. */
  private static final int EXPANSION = 6;

  /** The factor by which usual lines grow as events. Lines are mostly short. */
  private static final long USUAL_EXPANSION = 4;

  private static final int CAPACITY_MIN = 1024;

  private final Body body;
  private final int lineBytesMax;
  private final JsonWriter writer;
  private final LineTimes times;

  /** The position of the next line. */
  private int next;

  /** The start of the current line, {@code [from, to)}, without its line break. */
  private int from;

  private int to;
  private boolean isText;
  private @Nullable Refusal refused;

  /** The time of the nearest line that has one. */
  private long lastTicks = Rfc3339.NOT_A_TIME;

  private boolean isFollowing;

  /**
   * Reads the lines of a body. It reserves the memory of the longest event in {@code memory}, which
   * throws where it is short.
   */
  TextItems(Body body, ItemRules rules, int lineBytesMax, Memory memory) {
    super(body, BodyFormat.TEXT, rules);
    this.body = body;
    this.lineBytesMax = lineBytesMax;
    this.writer =
        new JsonWriter(
            memory, CAPACITY_MIN, (int) Math.min(1L << 30, EXPANSION * (lineBytesMax + 1024L)));
    this.times = new LineTimes(rules.localTimes());
    this.next = at;
  }

  @Override
  public long eventBytes() {
    return USUAL_EXPANSION * length;
  }

  @Override
  boolean isOfLines() {
    return true;
  }

  @Override
  boolean seek(JsonScanner json) {
    int first;
    do {
      if (next >= length) {
        return false;
      }
      from = next;
      int lineEnd = body.lineEnd(from);
      next = lineEnd + 1;
      to = lineEnd > from && b[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
      first = json.space(b, from);
    } while (first >= to);
    isText = !BodyFormat.beginsLikeJson(b, first, to);
    refused = null;
    if (isText) {
      convert();
    } else {
      lastTicks = Rfc3339.NOT_A_TIME;
      source = b;
      at = first;
    }
    ticks = lastTicks;
    return true;
  }

  /** Makes an event of the current line, or a refusal. */
  private void convert() {
    boolean isContinued = lastTicks != Rfc3339.NOT_A_TIME && (b[from] == ' ' || b[from] == '\t');
    long own = isContinued ? times.findAtBeginning(b, from, to) : times.find(b, from, to);
    isFollowing = own == Rfc3339.NOT_A_TIME && !times.hasUnread();
    lastTicks = isFollowing ? lastTicks : own;
    int notUtf8 = to - from > lineBytesMax ? -1 : notUtf8();
    if (to - from > lineBytesMax) {
      String problem = "event: " + (to - from) + " bytes, at most " + lineBytesMax;
      refused = new Refusal(Reason.EVENT_BYTES, problem);
    } else if (hasZero()) {
      String problem =
          "event: a zero byte, so no text; of UTF-16, convert it: iconv -f UTF-16 -t UTF-8";
      refused = new Refusal(Reason.NOT_UTF8, problem);
    } else if (notUtf8 >= 0) {
      refused = new Refusal(Reason.NOT_UTF8, "event: not UTF-8 at byte " + notUtf8 + " of it");
    }
    if (refused != null) {
      source = b;
      at = from;
      return;
    }
    writer.cut(0);
    writer.beginObject().key(MESSAGE).string(b, from, to).endObject();
    int end = writer.length();
    writer.pad(Body.PADDING);
    writer.cut(end);
    source = writer.bytes();
    at = 0;
  }

  private boolean hasZero() {
    int at = from;
    while (at < to && b[at] != 0) {
      at++;
    }
    return at < to;
  }

  /** Returns the index of the first ill-formed sequence in the line, or -1. */
  private int notUtf8() {
    for (int i = from; i < to; i++) {
      if (b[i] < 0) {
        int bytes = Utf8.sequence(b, i);
        if (bytes == 0 || i + bytes > to) {
          return i - from;
        }
        i += bytes - 1;
      }
    }
    return -1;
  }

  @Override
  void judged(DecodedItem item) {
    if (!isText) {
      lastTicks =
          item.reason == null && !item.time.isUntimed ? item.name.ticks : Rfc3339.NOT_A_TIME;
      return;
    }
    item.time.isZoneless = item.time.isUntimed && times.isZoneless();
    if (!item.time.isUntimed) {
      item.time.field = isFollowing ? DecodedItem.FOLLOWS : "message";
    }
  }

  @Override
  boolean isBare() {
    return isText;
  }

  @Override
  @Nullable Refusal refusal() {
    return refused;
  }

  @Override
  boolean pass(JsonScanner json, int scannedTo) {
    if (isText) {
      return true;
    }
    if (json.space(b, scannedTo) >= to) {
      return true;
    }
    json.fail(json.space(b, scannedTo), "the end of the line");
    return false;
  }

  @Override
  int end() {
    return isText && refused == null ? writer.length() : to;
  }
}
