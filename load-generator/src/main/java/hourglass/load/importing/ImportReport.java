package hourglass.load.importing;

import hourglass.command.FigureText;
import hourglass.load.command.ReportLines;
import hourglass.load.send.Tally;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The report of an import.
 *
 * @param read the number of events that were read, stored or not
 * @param unit the unit that is counted as read: line or event
 * @param stopped the reason for an early end, or null
 */
record ImportReport(
    List<String> inputs,
    String target,
    long read,
    String unit,
    ImportTally.State state,
    Tally sending,
    @Nullable String stopped) {
  /** The field of an event that contains a line of text. */
  private static final String TEXT = "message";

  /** The most batches that are listed as given up. The file of figures contains all. */
  private static final int GIVEN_UP_SHOWN = 5;

  /** Returns whether all events that were read are stored. */
  boolean isWhole() {
    return stopped == null
        && state.refused() == 0
        && state.unsure() == 0
        && state.notStored() == 0
        && sending.errors.byKind().keySet().stream().noneMatch(Tally.MISCOUNTED::equals);
  }

  /**
   * Returns the lines of the report. The first one reports the events with the time of receipt, if
   * there are any.
   */
  ReportLines lines() {
    ReportLines lines = new ReportLines();
    if (state.untimed() > 0) {
      String advice = state.suggestion().advice();
      lines.add(
          "NO TIME",
          "%,d of %,d events have no time and got the time of receipt%s",
          state.untimed(),
          state.stored(),
          advice.isEmpty() ? "" : "; " + advice);
    }
    if (stopped != null) {
      lines.add("STOPPED", "%s", stopped);
    }
    lines.add("read", "%,d %s from %s", read, plural(unit, read), names());
    lines.add("stored", "%,d %s in %s", state.stored(), plural("event", state.stored()), target);
    if (!state.times().first().isEmpty()) {
      lines.add("times", "%s to %s", state.times().first(), state.times().last());
    }
    state
        .timeFields()
        .forEach((field, count) -> lines.add("", "%,d from %s", count, origin(field)));
    if (state.followed() > 0) {
      lines.add("", "%,d of the line before, which they follow without a time", state.followed());
    }
    addRefusals(lines);
    addGivenUp(lines);
    if (sending.retries.total() > 0) {
      lines.add("retries", "%,d, all counted once", sending.retries.total());
    }
    return lines;
  }

  private static String origin(String field) {
    return field.equals(TEXT) ? "the text of the line" : "the field " + field;
  }

  private void addRefusals(ReportLines lines) {
    if (state.refused() > 0) {
      lines.add("refused", "%,d %s", state.refused(), plural("event", state.refused()));
    }
    state
        .refusals()
        .forEach(
            (reason, refusal) ->
                lines.add("", "%,d: %s%s", refusal.count(), reason, where(refusal)));
  }

  private void addGivenUp(ReportLines lines) {
    List<String> all = state.givenUp();
    all.stream().limit(GIVEN_UP_SHOWN).forEach(each -> lines.add("NOT DONE", "%s", each));
    if (all.size() > GIVEN_UP_SHOWN) {
      lines.add("", "and %,d parts more", all.size() - GIVEN_UP_SHOWN);
    }
  }

  /** Returns the first places in brackets, such as {@code (lines 3, 7 and 12 more)}. */
  private String where(RefusedEvents refusal) {
    if (refusal.places().isEmpty()) {
      return "";
    }
    Map<String, List<Place>> byInput =
        refusal.places().stream()
            .collect(
                Collectors.groupingBy(
                    Place::input, java.util.LinkedHashMap::new, Collectors.toList()));
    String places =
        byInput.entrySet().stream()
            .map(
                each ->
                    numbers(each.getValue()) + (inputs.size() > 1 ? " of " + each.getKey() : ""))
            .collect(Collectors.joining("; "));
    long more = refusal.count() - refusal.places().size();
    return " (%s%s)".formatted(places, more > 0 ? FigureText.format(" and %,d more", more) : "");
  }

  private static String numbers(List<Place> places) {
    return plural(places.get(0).unit(), places.size())
        + places.stream()
            .map(place -> FigureText.format("%,d", place.number()))
            .collect(Collectors.joining(", ", " ", ""));
  }

  private String names() {
    return inputs.size() == 1 ? inputs.get(0) : FigureText.format("%,d files", inputs.size());
  }

  private static String plural(String noun, long count) {
    return count == 1 ? noun : noun + "s";
  }

  JsonObject figures() {
    List<JsonObject> refused = new ArrayList<>();
    state
        .refusals()
        .forEach(
            (reason, refusal) ->
                refused.add(
                    new JsonObject()
                        .put("reason", reason)
                        .put("count", refusal.count())
                        .put("first", places(refusal))));
    JsonObject timeFields = new JsonObject();
    state.timeFields().forEach(timeFields::put);
    Suggestion suggestion = state.suggestion();
    return new JsonObject()
        .put("scenario", "import")
        .put("target", target)
        .put("inputs", inputs)
        .put(unit + "s_read", read)
        .put("events_stored", state.stored())
        .put("events_refused", state.refused())
        .put("events_untimed", state.untimed())
        .put("events_unknown", state.unsure())
        .put("events_not_stored", state.notStored())
        .put("refused", refused)
        .put("time_fields", timeFields)
        .put("first", state.times().first().isEmpty() ? null : state.times().first())
        .put("last", state.times().last().isEmpty() ? null : state.times().last())
        .put("hint", suggestion.hint().isEmpty() ? null : suggestion.hint())
        .put("options", suggestion.options().isEmpty() ? null : suggestion.options())
        .put("events_followed", state.followed())
        .put("given_up", state.givenUp())
        .put("errors", sending.errors.byKind())
        .put("retries", sending.retries.byKind())
        .put("stopped", stopped);
  }

  private static List<JsonObject> places(RefusedEvents refusal) {
    return refusal.places().stream()
        .map(
            place -> new JsonObject().put("input", place.input()).put(place.unit(), place.number()))
        .toList();
  }
}
