package hourglass.query.line;

import hourglass.query.where.json.FieldTree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields that tell the detected level of an event, in the order of {@link DetectedLevel}, found
 * in a tree of fields. Where they are all absent, the number of a severity or the line tells it.
 * Immutable.
 */
public final class LevelFields {
  private final int[] fields;

  /** Labels with the name of the detected level, which come first. */
  private final int asSent;

  /** Those of {@link #told} among the fields are the first ones, and {@code last} apart. */
  private final int firstCount;

  private final int last;

  private LevelFields(int[] fields, int asSent, int firstCount, int last) {
    this.fields = fields;
    this.asSent = asSent;
    this.firstCount = firstCount;
    this.last = last;
  }

  /** Adds the fields to a tree. */
  public static LevelFields of(StreamLabels rules, FieldTree tree) {
    List<String> paths = new ArrayList<>(first(rules));
    int firstCount = paths.size();
    List<String> names = LevelNames.OF_LABELS;
    names.stream().skip(1).forEach(name -> paths.addAll(rules.paths(name)));
    int last = paths.size();
    names.forEach(name -> paths.add(metadata(name)));
    int[] fields = paths.stream().mapToInt(path -> tree.add(path, List.of())).toArray();
    return new LevelFields(fields, asSent(rules), firstCount, last);
  }

  private static List<String> first(StreamLabels rules) {
    List<String> paths = new ArrayList<>(rules.allPaths(StreamLabels.DETECTED_LEVEL));
    paths.addAll(rules.paths(StreamLabels.LEVEL));
    return paths;
  }

  /** How many of the first fields hold the detected level as it was sent. */
  public static int asSent(StreamLabels rules) {
    return rules.paths(StreamLabels.DETECTED_LEVEL).size();
  }

  private static String metadata(String name) {
    return StreamLabels.METADATA + "." + name;
  }

  /**
   * The few fields that most senders use, in order. The values of the first are levels {@link
   * #asSent}, and those of the others by {@link LevelNames#normal}.
   */
  public static List<String> told(StreamLabels rules) {
    List<String> paths = first(rules);
    paths.add(metadata(StreamLabels.LEVEL));
    return paths;
  }

  /** Null if these fields do not tell it. */
  public @Nullable String level(byte[] bytes, int[] places) {
    for (int i = 0; i < fields.length; i++) {
      if (isLabel(fields[i], bytes, places)) {
        String text = LineParts.scalar(bytes, places[2 * fields[i]], places[2 * fields[i] + 1]);
        return i < asSent ? text : LevelNames.normal(text);
      }
    }
    return null;
  }

  /** Whether the fields of {@link #told} alone tell it. */
  public boolean isTold(byte[] bytes, int[] places) {
    for (int i = 0; i <= last; i++) {
      if (isLabel(fields[i], bytes, places)) {
        return i < firstCount || i == last;
      }
    }
    return false;
  }

  private static boolean isLabel(int field, byte[] bytes, int[] places) {
    int to = places[2 * field + 1];
    return to != 0 && LineParts.isLabel(bytes, places[2 * field], to);
  }
}
