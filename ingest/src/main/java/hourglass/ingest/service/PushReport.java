package hourglass.ingest.service;

import hourglass.ingest.decode.DecodedItem;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.decode.TimeGuess;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Facts for the sender of a push, besides its counts: which fields gave the times, their range, why
 * items were rejected, and which parameters would give events their own times. Written by one
 * thread at a time, then read.
 */
public final class PushReport {
  /** The events without a time that are searched for a field with one. */
  private static final int SEARCHED_MAX = 3;

  private final ItemRules rules;
  private final boolean isTrial;

  /** Null while no item is rejected. */
  private @Nullable FoldedErrors errors;

  private Map<String, Count> timeFields = new LinkedHashMap<>();

  /** The count of the last event, since most events of a request have the same time field. */
  private Count counted = new Count("");

  private long firstTicks = Long.MAX_VALUE;
  private long lastTicks = Long.MIN_VALUE;
  private int untimed;
  private int zonelessLines;
  private int zonelessRefused;
  private int searched;
  private @Nullable TimeGuess guess;

  private static final class Count {
    private final String field;
    private int events;

    private Count(String field) {
      this.field = field;
    }
  }

  /**
   * A proposal to the sender.
   *
   * @param hint one plain line that says what to add to the request, and why
   * @param parameters query parameters by name
   */
  public record Advice(String hint, Map<String, String> parameters) {}

  /** Creates a report of a request with such rules. In a trial, nothing is stored or counted. */
  public PushReport(ItemRules rules, boolean isTrial) {
    this.rules = rules;
    this.isTrial = isTrial;
  }

  public boolean isTrial() {
    return isTrial;
  }

  /** Returns the rejected items by reason, in the order of their first items. */
  public Collection<FoldedErrors.Entry> errors() {
    return errors == null ? List.of() : errors.entries();
  }

  /**
   * Returns the number of accepted events by the field that replaced the time field; {@code
   * message} stands for lines of text that contain a time.
   */
  public Map<String, Integer> timeFields() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    timeFields.forEach((field, count) -> counts.put(field, count.events));
    counts.remove(DecodedItem.FOLLOWS);
    return counts;
  }

  /** Returns the number of accepted lines of text that got the time of a line before. */
  public int followed() {
    Count count = timeFields.get(DecodedItem.FOLLOWS);
    return count == null ? 0 : count.events;
  }

  /**
   * Returns the earliest time of an accepted event; later than {@link #lastTicks} if there is none.
   */
  public long firstTicks() {
    return firstTicks;
  }

  /** Returns the latest time of an accepted event. */
  public long lastTicks() {
    return lastTicks;
  }

  void accept(DecodedItem event) {
    long ticks = event.name.ticks;
    firstTicks = Math.min(firstTicks, ticks);
    lastTicks = Math.max(lastTicks, ticks);
    String field = event.time.field;
    if (field != null) {
      if (!field.equals(counted.field) || counted.events == 0) {
        counted = timeFields.computeIfAbsent(field, Count::new);
      }
      counted.events++;
    }
    if (event.time.isUntimed) {
      acceptUntimed(event);
    }
  }

  private void acceptUntimed(DecodedItem event) {
    untimed++;
    if (event.time.isZoneless) {
      zonelessLines++;
    } else if (guess == null && searched < SEARCHED_MAX) {
      searched++;
      guess = TimeGuess.of(event, rules);
    }
  }

  /** Forgets the accepted events, since no event of the request is stored. */
  void discardAccepted() {
    timeFields = new LinkedHashMap<>();
    counted = new Count("");
    firstTicks = Long.MAX_VALUE;
    lastTicks = Long.MIN_VALUE;
    untimed = 0;
    zonelessLines = 0;
    guess = null;
  }

  void reject(DecodedItem item, Reason reason) {
    zonelessRefused += item.time.isZoneless && reason == Reason.TIME_UNREADABLE ? 1 : 0;
    reject(item.index, reason, item.problem);
  }

  /** Lists a rejected item, or a request that cannot be read at all. */
  public void reject(int index, Reason reason, String problem) {
    if (errors == null) {
      errors = new FoldedErrors();
    }
    errors.add(index, reason, problem);
  }

  boolean explainsNext() {
    return errors == null || errors.explainsNext();
  }

  /** Returns the advice that gives events their own times; null if there is nothing to add. */
  public @Nullable Advice advice() {
    if (zonelessRefused > 0) {
      return new Advice(
          zonelessRefused
              + (zonelessRefused == 1 ? " event is" : " events are")
              + " refused, since a time without a zone may be any; "
              + ofZone(),
          Map.of("time_zone", "UTC"));
    }
    if (zonelessLines > 0) {
      return new Advice(
          zonelessLines
              + (zonelessLines == 1 ? " line has" : " lines have")
              + " a time without a zone, and got the time of receipt; "
              + ofZone(),
          Map.of("time_zone", "UTC"));
    }
    if (guess == null && untimed > 0) {
      return new Advice(
          untimed
              + (untimed == 1 ? " event has" : " events have")
              + " no time that is read, and got the time of receipt;"
              + " time_field= names the field of their time",
          Map.of());
    }
    return guess == null ? null : advice(guess);
  }

  private static String ofZone() {
    return "add time_zone=UTC, or the zone of the clock that wrote it, such as Europe/Berlin";
  }

  private Advice advice(TimeGuess field) {
    Map<String, String> parameters = new LinkedHashMap<>();
    if (field.needsField()) {
      parameters.put("time_field", field.field());
    }
    if (field.needsZone()) {
      parameters.put("time_zone", "UTC");
    }
    StringBuilder hint = new StringBuilder();
    hint.append(untimed)
        .append(untimed == 1 ? " event" : " events")
        .append(" got the time of receipt, but \"")
        .append(field.field())
        .append("\" has a time");
    hint.append(field.needsZone() ? " without a zone; add " : "; add ");
    if (field.needsField()) {
      hint.append("time_field=").append(field.field());
      hint.append(field.needsZone() ? " and " : "");
    }
    if (field.needsZone()) {
      hint.append("time_zone=UTC, or the zone of its clock, such as Europe/Berlin");
    }
    return new Advice(hint.toString(), parameters);
  }
}
