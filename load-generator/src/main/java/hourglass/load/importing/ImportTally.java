package hourglass.load.importing;

import hourglass.command.FigureText;
import hourglass.load.client.Batch;
import hourglass.load.client.PushAnswer;
import hourglass.load.command.Figures;
import hourglass.load.command.LoadLimits;
import hourglass.load.send.BatchListener;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The outcomes of the events of an import. Thread-safe. */
final class ImportTally implements BatchListener {
  static final String OTHER_REASONS = "other reasons";

  private final BatchPlaces places;
  private final Map<String, RefusedEvents> refusals = new LinkedHashMap<>();
  private final Map<String, Long> timeFields = new TreeMap<>();
  private final List<String> givenUp = new ArrayList<>();
  private long stored;
  private long refused;
  private long untimed;
  private long followed;
  private long unsure;
  private long notStored;
  private Times times = new Times("", "");
  private Suggestion suggestion = Suggestion.NONE;

  /**
   * Creates a tally without events.
   *
   * @param places the places of the batches that are sent
   */
  ImportTally(BatchPlaces places) {
    this.places = places;
  }

  /** The first and the last time, which are empty before the first event. */
  record Times(String first, String last) {
    /** The times in answers are ordered as texts are. */
    private Times with(Figures answered) {
      String begin = answered.text("first");
      String end = answered.text("last");
      return new Times(
          first.isEmpty() || !begin.isEmpty() && begin.compareTo(first) < 0 ? begin : first,
          end.compareTo(last) > 0 ? end : last);
    }
  }

  /**
   * The figures so far.
   *
   * @param followed the number of lines of text with the time of the line before
   * @param unsure the number of events that may be stored or not
   * @param notStored the number of events that were sent and are not stored, without a verdict on
   *     each
   * @param givenUp a text for each batch without a verdict
   * @param refusals the refused events by reason
   * @param timeFields the number of events by the field that contained the time
   */
  record State(
      long stored,
      long refused,
      long untimed,
      long followed,
      long unsure,
      long notStored,
      List<String> givenUp,
      Map<String, RefusedEvents> refusals,
      Map<String, Long> timeFields,
      Times times,
      Suggestion suggestion) {}

  synchronized State state() {
    return new State(
        stored,
        refused,
        untimed,
        followed,
        unsure,
        notStored,
        List.copyOf(givenUp),
        new LinkedHashMap<>(refusals),
        new TreeMap<>(timeFields),
        times,
        suggestion);
  }

  @Override
  public synchronized void verdict(Batch batch, PushAnswer.Verdict verdict) {
    Figures answer = verdict.answer();
    stored += verdict.accepted();
    refused += verdict.rejected();
    untimed += verdict.untimed();
    followed += answer.count("followed", 0);
    long unlisted = verdict.rejected();
    for (Figures error : answer.objects("errors")) {
      long count = error.count("count", 1);
      unlisted -= count;
      List<Place> where =
          PushAnswer.Verdict.indexes(error).mapToObj(index -> places.of(batch, index)).toList();
      refuse(error.text("reason"), count, where);
    }
    if (unlisted > 0) {
      refuse(OTHER_REASONS, unlisted, List.of());
    }
    Figures fields = answer.object("time_fields");
    fields.names().forEach(name -> timeFields.merge(name, (long) fields.number(name), Long::sum));
    times = times.with(answer.object("times"));
    Suggestion said = Suggestion.of(answer);
    suggestion = said.isEmpty() ? suggestion : said;
    places.forget(batch);
  }

  private void refuse(String reason, long count, List<Place> where) {
    boolean isKnown = refusals.containsKey(reason) || refusals.size() < LoadLimits.KINDS_MAX;
    refusals
        .computeIfAbsent(isKnown ? reason : OTHER_REASONS, key -> new RefusedEvents())
        .add(count, where);
  }

  @Override
  public synchronized void givenUp(Batch batch, boolean isUnsure, PushAnswer.Failure failure) {
    Place from = places.of(batch, 0);
    Place to = places.end(batch);
    givenUp.add(
        FigureText.format(
            "%ss %,d to %,d of %s %s: %s",
            from.unit(),
            from.number(),
            to.number(),
            from.input(),
            isUnsure ? "may be stored or not" : "are not stored",
            failure));
    if (isUnsure) {
      unsure += batch.events();
    } else {
      notStored += batch.events();
    }
    places.forget(batch);
  }
}
