package hourglass.query.line;

import hourglass.query.where.json.FieldTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields that may contain the detected level of an event, in the order of {@link
 * DetectedLevel}, found in a tree of fields. If all are absent, the level follows from the number
 * of a severity or from the line. Immutable.
 */
public final class LevelFields {
  private final StreamLabels rules;
  private final LabelFields fields;

  /** The indexes of the fields that {@link #told} returns. */
  private final BitSet told;

  private final int asSent;

  private LevelFields(StreamLabels rules, LabelFields fields, BitSet told) {
    this.rules = rules;
    this.fields = fields;
    this.told = told;
    asSent = asSent(rules);
  }

  /** Adds the fields to a tree, and returns them. */
  public static LevelFields of(StreamLabels rules, FieldTree tree) {
    List<String> ofEvents = paths(rules, false);
    List<String> ofObjects = paths(rules, true);
    BitSet told = new BitSet();
    List<String> toldOfEvents = told(rules, false);
    List<String> toldOfObjects = told(rules, true);
    for (int i = 0; i < ofEvents.size(); i++) {
      told.set(i, toldOfEvents.contains(ofEvents.get(i)));
    }
    for (int i = 0; i < ofObjects.size(); i++) {
      told.set(ofEvents.size() + i, toldOfObjects.contains(ofObjects.get(i)));
    }
    return new LevelFields(rules, LabelFields.of(ofEvents, ofObjects, tree::add), told);
  }

  private static List<String> paths(StreamLabels rules, boolean ofObject) {
    List<String> paths = first(rules, ofObject);
    List<String> names = LevelNames.OF_LABELS;
    names.stream().skip(1).forEach(name -> paths.addAll(rules.paths(name, ofObject)));
    names.forEach(name -> paths.add(StreamLabels.metadata(name, ofObject)));
    return paths;
  }

  private static List<String> first(StreamLabels rules, boolean ofObject) {
    List<String> paths = new ArrayList<>(rules.allPaths(StreamLabels.DETECTED_LEVEL, ofObject));
    paths.addAll(rules.paths(StreamLabels.LEVEL, ofObject));
    return paths;
  }

  /** Returns the number of fields at the beginning that hold the detected level as it was sent. */
  public static int asSent(StreamLabels rules) {
    return rules.paths(StreamLabels.DETECTED_LEVEL, false).size();
  }

  /**
   * Returns the few fields that most senders use, in order. The values of the first {@link #asSent}
   * are levels as they are; those of the others are normalized by {@link LevelNames#normal}.
   *
   * @param ofObject whether the lines were pushed as objects
   */
  public static List<String> told(StreamLabels rules, boolean ofObject) {
    List<String> paths = first(rules, ofObject);
    paths.add(StreamLabels.metadata(StreamLabels.LEVEL, ofObject));
    return paths;
  }

  /** The rules by which the level is derived if no field contains it. */
  public StreamLabels rules() {
    return rules;
  }

  /** Returns the level; null if none of these fields contains it. */
  public @Nullable String level(byte[] bytes, int[] places) {
    int index = fields.find(bytes, places);
    if (index == LabelFields.NONE) {
      return null;
    }
    String text = fields.text(index, bytes, places);
    return fields.rank(index) < asSent ? text : LevelNames.normal(text);
  }

  /** Whether the fields of {@link #told} alone determine the level. */
  public boolean isTold(byte[] bytes, int[] places) {
    int index = fields.find(bytes, places);
    return index != LabelFields.NONE && told.get(index);
  }
}
