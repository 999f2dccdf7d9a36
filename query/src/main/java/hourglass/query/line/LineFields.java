package hourglass.query.line;

import hourglass.bytes.Spans;
import java.util.function.ToIntFunction;

/**
 * The fields that show what the line of an event is, by their numbers. Their places are those of
 * {@link hourglass.query.where.json.FieldTree#find}.
 */
public record LineFields(int loki, int labelsOfObject, int labels, int facility) {

  /** Returns the fields, by the numbers that a function gives to their paths. */
  public static LineFields of(ToIntFunction<String> number) {
    return new LineFields(
        number.applyAsInt(StreamLabels.LOKI),
        number.applyAsInt(StreamLabels.LABELS_OF_OBJECT),
        number.applyAsInt(StreamLabels.LABELS),
        number.applyAsInt(StreamLabels.FACILITY));
  }

  /** Whether the line is JSON whose members certainly are fields of the payload. */
  public boolean areOfJson(byte[] bytes, Spans places) {
    return isPushedObject(loki, labelsOfObject, bytes, places)
        || !isObject(labels, bytes, places) && !places.has(facility);
  }

  /**
   * Whether the line was pushed as an object: the payload has a member {@code _loki}, and that a
   * member {@code labels}, which are both objects. A key {@code _loki.labels} is another member.
   */
  static boolean isPushedObject(int loki, int labelsOfObject, byte[] bytes, Spans places) {
    return isObject(loki, bytes, places) && isObject(labelsOfObject, bytes, places);
  }

  private static boolean isObject(int field, byte[] bytes, Spans places) {
    return places.has(field) && bytes[places.start(field)] == '{';
  }
}
