package hourglass.load.importing;

import hourglass.load.event.Lines;

/** How events stand in an input, as its beginning shows. */
enum Form {
  /** A line each, JSON or not. */
  LINES,

  /** The elements of one JSON array. */
  ARRAY,

  /** JSON objects over several lines, as tools print them for people. */
  OBJECTS;

  /**
   * The form of an input.
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
    int end = Lines.indexOfBreak(beginning, at, beginning.length);
    boolean isBraceAlone = beginning[at] == '{' && end >= 0 && hasMore && second > end;
    return isBraceAlone ? OBJECTS : LINES;
  }

  Items items(Items.Handler handler) {
    return switch (this) {
      case LINES -> new LineItems(handler);
      case ARRAY -> new JsonItems(true, handler);
      case OBJECTS -> new JsonItems(false, handler);
    };
  }

  /** The name of what is counted in it. */
  String unit() {
    return this == LINES ? "line" : "event";
  }
}
