package hourglass.query.line;

import hourglass.bytes.Spans;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields that may contain one label of an event, in the order in which they count. They are
 * other fields if the line was pushed as an object. Immutable.
 */
public final class LabelFields {
  /** The index if no field contains the label. */
  public static final int NONE = -1;

  private final int loki;
  private final int labelsOfObject;

  /** The fields of all other events, followed by those of objects. */
  private final int[] fields;

  private final int objectsFrom;

  private LabelFields(int loki, int labelsOfObject, int[] fields, int objectsFrom) {
    this.loki = loki;
    this.labelsOfObject = labelsOfObject;
    this.fields = fields;
    this.objectsFrom = objectsFrom;
  }

  /**
   * Returns the fields with these paths, by the numbers that a function gives to them.
   *
   * @param paths returns the paths, in order, for lines that were pushed as objects or were not
   */
  public static LabelFields of(
      Function<Boolean, List<String>> paths, ToIntFunction<String> number) {
    return new LabelFields(
        number.applyAsInt(StreamLabels.LOKI),
        number.applyAsInt(StreamLabels.LABELS_OF_OBJECT),
        Stream.of(false, true).flatMap(is -> paths.apply(is).stream()).mapToInt(number).toArray(),
        paths.apply(false).size());
  }

  /** Returns the index of the first field that contains the label, or {@link #NONE}. */
  public int find(byte[] bytes, Spans places) {
    boolean isObject = LineFields.isPushedObject(loki, labelsOfObject, bytes, places);
    int to = isObject ? fields.length : objectsFrom;
    for (int i = isObject ? objectsFrom : 0; i < to; i++) {
      if (isLabel(fields[i], bytes, places)) {
        return i;
      }
    }
    return NONE;
  }

  /** Whether the value of a field is a label; false if it is absent. */
  public static boolean isLabel(int field, byte[] bytes, Spans places) {
    int to = places.end(field);
    return to != 0 && LineParts.isLabel(bytes, places.start(field), to);
  }

  /** Returns the number of the field that has this index. */
  public int field(int index) {
    return fields[index];
  }

  /** Returns how many fields count before this one in its event. */
  int rank(int index) {
    return index < objectsFrom ? index : index - objectsFrom;
  }

  /** Returns the text of the label; null if no field contains it. */
  public @Nullable String text(byte[] bytes, Spans places) {
    int index = find(bytes, places);
    return index == NONE ? null : text(index, bytes, places);
  }

  String text(int index, byte[] bytes, Spans places) {
    int field = fields[index];
    return LineParts.scalar(bytes, places.start(field), places.end(field));
  }

  /** Returns the numbers of all fields. */
  public IntStream all() {
    return IntStream.of(fields);
  }
}
