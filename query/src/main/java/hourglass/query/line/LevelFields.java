package hourglass.query.line;

import hourglass.query.where.json.FieldTree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields that may contain the detected level of an event, in the order of {@link
 * DetectedLevel}, found in a tree of fields. If all are absent, the level follows from the number
 * of a severity or from the line. Immutable.
 */
public final class LevelFields {
  /** If this field is an object, the line was pushed as one. */
  private final int object;

  private final Order ofEvents;
  private final Order ofObjects;

  /**
   * The fields in the order in which they count.
   *
   * @param asSent the number of fields at the beginning that have the name of the detected level
   * @param firstCount the number of fields at the beginning that belong to {@link #told}
   * @param last the place of the one further field that does
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Order(int[] fields, int asSent, int firstCount, int last) {}

  private LevelFields(int object, Order ofEvents, Order ofObjects) {
    this.object = object;
    this.ofEvents = ofEvents;
    this.ofObjects = ofObjects;
  }

  /** Adds the fields to a tree, and returns them. */
  public static LevelFields of(StreamLabels rules, FieldTree tree) {
    return new LevelFields(
        tree.add(StreamLabels.LABELS_OF_OBJECT, List.of()),
        order(rules, tree, false),
        order(rules, tree, true));
  }

  private static Order order(StreamLabels rules, FieldTree tree, boolean ofObject) {
    List<String> paths = new ArrayList<>(first(rules, ofObject));
    int firstCount = paths.size();
    List<String> names = LevelNames.OF_LABELS;
    names.stream().skip(1).forEach(name -> paths.addAll(paths(rules, name, ofObject)));
    int last = paths.size();
    names.forEach(name -> paths.add(metadata(name, ofObject)));
    int[] fields = paths.stream().mapToInt(path -> tree.add(path, List.of())).toArray();
    return new Order(fields, asSent(rules), firstCount, last);
  }

  private static List<String> paths(StreamLabels rules, String name, boolean ofObject) {
    return ofObject ? rules.pathsOfObject(name) : rules.paths(name);
  }

  private static List<String> first(StreamLabels rules, boolean ofObject) {
    List<String> paths = paths(rules, StreamLabels.DETECTED_LEVEL, ofObject);
    paths.add(metadata(StreamLabels.DETECTED_LEVEL, ofObject));
    paths.addAll(paths(rules, StreamLabels.LEVEL, ofObject));
    return paths;
  }

  /** Returns the number of fields at the beginning that hold the detected level as it was sent. */
  public static int asSent(StreamLabels rules) {
    return rules.paths(StreamLabels.DETECTED_LEVEL).size();
  }

  private static String metadata(String name, boolean ofObject) {
    return (ofObject ? StreamLabels.LOKI + "." : "") + StreamLabels.METADATA + "." + name;
  }

  /**
   * Returns the few fields that most senders use, in order. The values of the first {@link #asSent}
   * are levels as they are; those of the others are normalized by {@link LevelNames#normal}.
   *
   * @param ofObject whether the lines were pushed as objects
   */
  public static List<String> told(StreamLabels rules, boolean ofObject) {
    List<String> paths = first(rules, ofObject);
    paths.add(metadata(StreamLabels.LEVEL, ofObject));
    return paths;
  }

  /** Returns the level; null if none of these fields contains it. */
  public @Nullable String level(byte[] bytes, int[] places) {
    Order order = order(bytes, places);
    int[] fields = order.fields;
    for (int i = 0; i < fields.length; i++) {
      if (isLabel(fields[i], bytes, places)) {
        String text = LineParts.scalar(bytes, places[2 * fields[i]], places[2 * fields[i] + 1]);
        return i < order.asSent ? text : LevelNames.normal(text);
      }
    }
    return null;
  }

  /** Whether the fields of {@link #told} alone determine the level. */
  public boolean isTold(byte[] bytes, int[] places) {
    Order order = order(bytes, places);
    for (int i = 0; i <= order.last; i++) {
      if (isLabel(order.fields[i], bytes, places)) {
        return i < order.firstCount || i == order.last;
      }
    }
    return false;
  }

  private Order order(byte[] bytes, int[] places) {
    return StreamLabels.isObject(object, bytes, places) ? ofObjects : ofEvents;
  }

  private static boolean isLabel(int field, byte[] bytes, int[] places) {
    int to = places[2 * field + 1];
    return to != 0 && LineParts.isLabel(bytes, places[2 * field], to);
  }
}
