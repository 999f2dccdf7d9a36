package hourglass.ingest.decode;

import hourglass.bytes.JsonScanner;
import hourglass.bytes.Rfc3339;
import hourglass.bytes.Utf8;
import org.jspecify.annotations.Nullable;

/** Steps through the items of an input in the order sent. Not thread-safe. */
public abstract class ItemCursor {
  final byte[] b;
  final int length;
  final ItemRules rules;

  /** The array that contains the current item; in most inputs, the input itself. */
  byte[] source;

  /** The position of the current item's first byte; after a broken item, of its end. */
  int at;

  /** The fields of the current item; in most inputs, those of all items. */
  FieldMapping mapping;

  boolean isCloudEvent;

  /** Whether the current item is a record with a time, which replaces the time of receipt. */
  boolean isRecord;

  // These are properties that a protocol gives for the current item, where its payload lacks them.
  @Nullable String type;
  long ticks = Rfc3339.NOT_A_TIME;
  byte @Nullable [] id;

  private int index;

  ItemCursor(Body body, BodyFormat format, ItemRules rules) {
    this(body, format, rules, 0);
  }

  /** Creates a cursor whose first item has a number other than 0. */
  ItemCursor(Body body, BodyFormat format, ItemRules rules, int firstIndex) {
    this.index = firstIndex - 1;
    this.b = body.bytes();
    this.source = b;
    this.length = body.length();
    this.rules = rules;
    this.mapping = rules.mapping();
    this.isCloudEvent = format == BodyFormat.CLOUDEVENTS;
    // A byte order mark is not JSON, but some senders write it.
    this.at = Utf8.afterMark(b, 0, length);
  }

  /**
   * Returns a cursor over the items of a body.
   *
   * @param lineBytesMax limit of a line of text; a longer one is rejected
   * @param memory the memory of events made of lines of text; it throws where it is short
   */
  public static ItemCursor of(
      Body body, BodyFormat format, ItemRules rules, int lineBytesMax, Memory memory) {
    return switch (format) {
      case TEXT -> new TextItems(body, rules, lineBytesMax, memory);
      case NDJSON -> new LineItems(body, rules);
      case JSON, CLOUDEVENTS -> new JsonItems(body, format, rules);
    };
  }

  /** An item that becomes no event. */
  record Refusal(Reason reason, String problem) {}

  public int length() {
    return length;
  }

  /** Returns about the bytes of all events, from which the memory of a write is reserved. */
  public long eventBytes() {
    return length();
  }

  /** Returns the current item's number, from 0; -1 before the first. */
  public final int index() {
    return index;
  }

  /** Returns why the current item cannot become an event, whatever it contains; or null. */
  @Nullable Refusal refusal() {
    return null;
  }

  /** Whether a time that is too old rejects the current item, even if bad times are accepted. */
  boolean refusesOld() {
    return false;
  }

  /** Whether the bytes of items never change, and most items lie directly one after the other. */
  boolean isPacked() {
    return false;
  }

  /** Returns whether the current item is known to be one JSON object in UTF-8. */
  boolean isChecked() {
    return false;
  }

  /** Returns whether the current item has no field for its type, time or id. */
  boolean isBare() {
    return false;
  }

  /** Returns whether a line break ends each item. */
  boolean isOfLines() {
    return false;
  }

  /** Accepts the verdict on the current item, in a text. */
  void judged(DecodedItem item) {
    // Only texts have items that depend on one another.
  }

  /** Returns whether a null type counts as none, so that the item gets the default type. */
  boolean takesNullType() {
    return false;
  }

  /**
   * Returns the end of a message that rejects a time without a zone: how a sender can add the zone.
   */
  String zoneRemedy() {
    return "it has no zone; want one, such as Z or +01:00, or time_zone=UTC in the URL";
  }

  /** Returns the position of the protocol's own object in the current item, or NO_ENVELOPE. */
  int envelope() {
    return ConvertedEvents.NO_ENVELOPE;
  }

  final boolean next(JsonScanner json) {
    boolean found = seek(json);
    index += found ? 1 : 0;
    return found;
  }

  /**
   * Sets {@link #at} to the next item's first byte, and the properties that the input gives for it.
   */
  abstract boolean seek(JsonScanner json);

  /**
   * Moves to the end of a scanned item. Returns false if unexpected bytes follow; the scanner has
   * the details. By default, only space may follow before the end.
   */
  boolean pass(JsonScanner json, int scannedTo) {
    int i = json.space(b, scannedTo);
    if (i >= end()) {
      return true;
    }
    json.fail(i, "nothing more");
    return false;
  }

  void passBroken(JsonScanner json) {
    at = end();
  }

  /** Returns the latest position at which the current item may end. */
  int end() {
    return length;
  }

  /**
   * Returns the reason to store no item of the input, as far as it was read; null if there is none.
   */
  @Nullable String brokenBody() {
    return null;
  }

  /**
   * Reads the whole input ahead, and returns the reason to store no item of it; null if there is
   * none.
   */
  @Nullable String brokenBodyAhead(JsonScanner json) {
    return null;
  }

  final String notJson(JsonScanner json, int origin, String of) {
    int failed = json.failedAt();
    return "not JSON at byte "
        + (failed - origin)
        + of
        + (failed >= end() ? ": ends too early, " : ": ")
        + "want "
        + json.expected();
  }

  /**
   * Items of JSON. No item of a broken array is stored, since items before the break are in doubt
   * too.
   */
  private static final class JsonItems extends ItemCursor {
    private enum State {
      START,
      SINGLE,
      ELEMENT,
      END
    }

    private State state = State.START;
    private @Nullable String broken;

    private JsonItems(Body body, BodyFormat format, ItemRules rules) {
      super(body, format, rules);
    }

    @Override
    boolean seek(JsonScanner json) {
      if (state != State.START) {
        return state == State.ELEMENT;
      }
      at = json.space(b, at);
      if (b[at] != '[') {
        state = at < length ? State.SINGLE : State.END;
        return at < length;
      }
      at = json.space(b, at + 1);
      if (b[at] == ']') {
        finish(json, at + 1);
        return false;
      }
      state = State.ELEMENT;
      return true;
    }

    private boolean finish(JsonScanner json, int from) {
      int i = json.space(b, from);
      if (i < length) {
        json.fail(i, "nothing more");
        if (state != State.SINGLE) {
          passBroken(json);
        }
        return false;
      }
      state = State.END;
      return true;
    }

    @Override
    boolean pass(JsonScanner json, int scannedTo) {
      if (state == State.SINGLE) {
        return finish(json, scannedTo);
      }
      int i = json.space(b, scannedTo);
      if (b[i] == ',') {
        at = json.space(b, i + 1);
        return true;
      }
      if (b[i] == ']') {
        return finish(json, i + 1);
      }
      json.fail(i, "a comma or ]");
      return false;
    }

    @Override
    void passBroken(JsonScanner json) {
      if (state != State.SINGLE) {
        broken = "body: " + notJson(json, 0, "") + "; nothing of the array is stored";
      }
      state = State.END;
      super.passBroken(json);
    }

    @Override
    @Nullable String brokenBody() {
      return broken;
    }

    @Override
    @Nullable String brokenBodyAhead(JsonScanner json) {
      int atBefore = at;
      State stateBefore = state;
      while (seek(json)) {
        int end = json.value(b, at);
        if (end < 0 || !pass(json, end)) {
          passBroken(json);
        }
      }
      String problem = broken;
      at = atBefore;
      state = stateBefore;
      broken = null;
      return problem;
    }
  }

  /** Lines of JSON. A broken line does not affect the others. */
  private static final class LineItems extends ItemCursor {
    private LineItems(Body body, ItemRules rules) {
      super(body, BodyFormat.NDJSON, rules);
    }

    @Override
    boolean isOfLines() {
      return true;
    }

    @Override
    boolean seek(JsonScanner json) {
      at = json.space(b, at);
      while (b[at] == '\n') {
        at = json.space(b, at + 1);
      }
      return at < length;
    }

    @Override
    boolean pass(JsonScanner json, int scannedTo) {
      int i = json.space(b, scannedTo);
      if (b[i] == '\n' || i >= length) {
        at = i;
        return true;
      }
      json.fail(i, "the end of the line");
      return false;
    }

    @Override
    int end() {
      int i = at;
      while (i < length && b[i] != '\n') {
        i++;
      }
      return i;
    }
  }
}
