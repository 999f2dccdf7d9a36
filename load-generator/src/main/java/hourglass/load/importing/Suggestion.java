package hourglass.load.importing;

import hourglass.load.command.Figures;

/**
 * The parameters that the server suggests so that more events get their own times.
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

  /** The advice in a few words; empty: there is none. */
  String advice() {
    if (options().isEmpty()) {
      return hint.isEmpty() ? "" : "--time-field names the field that has it";
    }
    String zones =
        timeZone.isEmpty()
            ? ""
            : " (or the zone of the clock that wrote it, such as Europe/Berlin)";
    return "add " + options() + zones;
  }

  /** The word, quoted for a shell if it needs that. */
  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
