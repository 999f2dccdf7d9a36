package hourglass.config.terminal;

/**
 * The colours of a terminal (ECMA-48), each applied to a text.
 *
 * @param on if false, texts stay as they are
 */
record Colours(boolean on) {
  private static final String[] OF_TYPES = {"32", "33", "34", "35", "36", "92", "93", "94", "95"};

  String time(String text) {
    return in("2", text);
  }

  /** Colours a type. A type has the same colour in each line and each run. */
  String type(String text) {
    return in("1;" + OF_TYPES[Math.floorMod(text.hashCode(), OF_TYPES.length)], text);
  }

  String field(String text) {
    return in("36", text);
  }

  String head(String text) {
    return in("1", text);
  }

  String note(String text) {
    return in("33", text);
  }

  private String in(String code, String text) {
    return on && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
