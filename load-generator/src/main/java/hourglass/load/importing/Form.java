package hourglass.load.importing;

import hourglass.bytes.LineBreaks;
import hourglass.load.event.Lines;

/** The form of the events in an input, recognized by its beginning. */
enum Form {
  /** One event a line, as text or JSON. */
  LINES,

  /**
   * One JSON event a line. The first line begins like JSON, so lines of another form are not
   * events.
   */
  JSON_LINES,

  /** The events are the elements of one JSON array. */
  ARRAY,

  /** The events are JSON objects over several lines, as tools print them for people. */
  OBJECTS;

  /**
   * Returns the form of an input.
   *
   * @param beginning without a byte order mark
   */
  static Form of(byte[] beginning) {
    int at = Lines.skipSpace(beginning, 0, beginning.length);
    if (at == beginning.length) {
      return LINES;
    }
    int second = Lines.skipSpace(beginning, at + 1, beginning.length);
    boolean hasMore = second < beginning.length;
    if (beginning[at] == '[') { // a log may begin with a time in brackets
      return hasMore && (beginning[second] == '{' || beginning[second] == ']') ? ARRAY : LINES;
    }
    if (beginning[at] != '{') {
      return LINES;
    }
    int lineEnd = LineBreaks.lineFeed(beginning, at, beginning.length);
    int end = lineEnd < 0 ? beginning.length : lineEnd;
    while (beginning[end - 1] == ' ' || beginning[end - 1] == '\t' || beginning[end - 1] == '\r') {
      end--;
    }
    boolean goesOn = lineEnd >= 0 && beginning[end - 1] != '}' && hasMore;
    return goesOn ? OBJECTS : JSON_LINES;
  }

  Items items(Items.Handler handler) {
    return switch (this) {
      case LINES -> new LineItems(handler, false);
      case JSON_LINES -> new LineItems(handler, true);
      case ARRAY -> new JsonItems(true, handler);
      case OBJECTS -> new JsonItems(false, handler);
    };
  }

  /** Returns the name of the unit in which its events are counted. */
  String unit() {
    return this == LINES || this == JSON_LINES ? "line" : "event";
  }
}
