package hourglass.query.erasure.http;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.TimeRange;
import hourglass.query.erasure.ErasureRequest;
import hourglass.query.erasure.FoundEvents;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The line of the audit file about a request to erase. It has no text that was sought, since that
 * may be what was erased. Immutable.
 *
 * @param step what the request did: a dry run or an erasure
 * @param id of the erasure; null if there is none
 * @param types that were asked for, or else those that were found
 * @param from the begin of the range
 * @param to the end of the range, exclusive
 * @param fields the members to blank; empty to erase whole events
 * @param events how many were found
 * @param reason as given; empty for none
 */
public record ErasureReport(
    String step,
    @Nullable TimeUuid id,
    List<String> types,
    String from,
    String to,
    List<String> fields,
    long events,
    String reason) {
  public static final String DRY_RUN = "dry run";
  public static final String ERASE = "erase";

  /** Returns the report of a step that found these events. */
  public static ErasureReport of(
      String step, @Nullable TimeUuid id, ErasureRequest request, FoundEvents found) {
    TimeRange range = request.range();
    return new ErasureReport(
        step,
        id,
        request.types().isEmpty() ? found.types() : List.copyOf(request.types()),
        Ticks.text(range.fromTicks()),
        Ticks.text(range.toTicks()),
        request.blanked(),
        found.events(),
        request.reason());
  }
}
