package hourglass.ingest.decode;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bytes.Json;
import hourglass.bytes.Rfc3339;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The field of an event without a time that most likely contains its time. Immutable.
 *
 * @param field the name of a member of the event
 * @param needsField whether the field is not yet read for the time
 * @param needsZone whether its time has no zone, and the request names none
 */
public record TimeGuess(String field, boolean needsField, boolean needsZone) {
  /** The numbers that may be times. One with fewer digits may be anything. */
  private static final Pattern EPOCH = Pattern.compile("\\d{10,19}(\\.\\d{1,9})?");

  /** The usual names of fields with times. Numbers of other fields are no times. */
  private static final Pattern NAMES =
      Pattern.compile(".*(time|date|stamp|clock|when).*|@?t|(.*_)?(ts|at|on)|epoch.*");

  /** The names of fields that contain times of something else, or none. */
  private static final Pattern OTHERS =
      Pattern.compile(
          ".*(monotonic|expir|until|birth|timeout|update|candidate|validat|duration|elapsed|latency"
              + "|response|(up|run|down|life|cpu)_?time).*|.*_([numc]?s|id|count)");

  /** The most that clocks may be ahead. A later time is not the time of writing. */
  private static final long AHEAD_TICKS = 24 * Ticks.PER_HOUR;

  private record Candidate(String field, long ticks, boolean isLocal, boolean isNamed) {
    /**
     * Returns whether this is the better guess. A usual name wins, then the latest time, which is
     * nearest to the time of receipt.
     */
    private boolean isBetterThan(@Nullable Candidate other) {
      return other == null || isNamed != other.isNamed
          ? other == null || isNamed
          : ticks > other.ticks;
    }
  }

  /** Searches the members of an accepted event that got the time of receipt; null if none fits. */
  public static @Nullable TimeGuess of(DecodedItem event, ItemRules rules) {
    Candidate best = null;
    try (JsonParser json = Json.parser(event.bytes, event.from, event.to - event.from)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (value == JsonToken.START_OBJECT || value == JsonToken.START_ARRAY) {
          json.skipChildren();
        } else if (value == JsonToken.VALUE_STRING || value.isNumeric()) {
          Candidate next = candidate(name, json.getText(), value.isNumeric(), event.name.ticks);
          best = next != null && next.isBetterThan(best) ? next : best;
        }
      }
    } catch (IOException e) {
      return null; // a number or a name beyond the limits of this parser
    }
    return best == null || best.field.length() > FieldMapping.NAME_CHARS_MAX
        ? null
        : of(best, rules);
  }

  private static TimeGuess of(Candidate best, ItemRules rules) {
    FieldMapping mapping = rules.mapping();
    boolean isRead =
        best.field.equals(mapping.timeField()) || mapping.otherTimeFields().contains(best.field);
    return new TimeGuess(best.field, !isRead, best.isLocal && rules.localTimes() == null);
  }

  private static @Nullable Candidate candidate(
      String name, String text, boolean isNumber, long nowTicks) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean isNamed = NAMES.matcher(lower).matches();
    if (name.isEmpty() || OTHERS.matcher(lower).matches()) {
      return null;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    byte[] b = Body.padded(utf8);
    LooseTime loose = new LooseTime();
    boolean isLocal = false;
    long ticks;
    if (EPOCH.matcher(text).matches()) {
      ticks = isNamed ? TimeNumber.parse(b, 0, utf8.length) : Rfc3339.NOT_A_TIME;
    } else if (isNumber) {
      return null;
    } else {
      ticks = new Rfc3339(Ticks.UNIX_EPOCH).parse(b, 0, utf8.length);
      if (ticks == Rfc3339.NOT_A_TIME) {
        ticks = loose.read(b, 0, utf8.length);
        isLocal = ticks != Rfc3339.NOT_A_TIME && loose.isLocal();
        ticks = isLocal && loose.end() == utf8.length ? ticks : Rfc3339.NOT_A_TIME;
      }
    }
    boolean isTime =
        ticks != Rfc3339.NOT_A_TIME && Hour.covers(ticks) && ticks <= nowTicks + AHEAD_TICKS;
    return isTime ? new Candidate(name, ticks, isLocal, isNamed) : null;
  }
}
