package hourglass.load.importing;

import hourglass.load.command.Figures;

/**
 * What the server says may be added so that more events get their own times.
 *
 * @param hint in its words, or empty
 * @param timeField or empty
 * @param timeZone or empty
 */
record Suggestion(String hint, String timeField, String timeZone) {
  static final Suggestion NONE = new Suggestion("", "", "");

  static Suggestion of(Figures answer) {
    Figures suggested = answer.object("suggested");
    return new Suggestion(
        answer.text("hint"), suggested.text("time_field"), suggested.text("time_zone"));
  }

  boolean isEmpty() {
    return hint.isEmpty() && options().isEmpty();
  }

  /** The options to add, or empty. */
  String options() {
    String field = timeField.isEmpty() ? "" : "--time-field " + quoted(timeField);
    String zone = timeZone.isEmpty() ? "" : "--time-zone " + quoted(timeZone);
    return (field + " " + zone).strip();
  }

  /** What to do, in a few words; empty: nothing is known. */
  String advice() {
    if (options().isEmpty()) {
      return hint;
    }
    String zones =
        timeZone.isEmpty() ? "" : " (or the zone of the clock that wrote it, as Europe/Berlin)";
    return "add " + options() + zones;
  }

  /** As a shell takes it. */
  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
