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
    return hint.isEmpty() && option().isEmpty();
  }

  /** The option to add, or empty. */
  String option() {
    if (!timeField.isEmpty()) {
      return "--time-field " + quoted(timeField);
    }
    return timeZone.isEmpty() ? "" : "--time-zone " + quoted(timeZone);
  }

  /** What to do, in a few words; empty: nothing is known. */
  String advice() {
    if (!timeField.isEmpty()) {
      return option() + " takes it from there";
    }
    return timeZone.isEmpty() ? hint : option() + " reads times without a zone as of this one";
  }

  /** As a shell takes it. */
  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
