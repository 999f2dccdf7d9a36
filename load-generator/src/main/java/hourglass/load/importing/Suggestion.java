package hourglass.load.importing;

import hourglass.load.command.Figures;

/**
 * The parameters that the server suggests so that more events get their own times.
 *
 * @param hint the server's own words, or empty
 * @param timeField the field that contains the time, or empty
 * @param timeZone the zone of the times, or empty
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

  /** Returns the options to add, or an empty text. */
  String options() {
    String field = timeField.isEmpty() ? "" : "--time-field " + quoted(timeField);
    String zone = timeZone.isEmpty() ? "" : "--time-zone " + quoted(timeZone);
    return (field + " " + zone).strip();
  }

  /** Returns the advice in a few words, or an empty text if there is none. */
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

  /** Returns the word, quoted for a shell if necessary. */
  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
