package hourglass.query.line;

import hourglass.bytes.Spans;
import hourglass.query.where.json.FieldTree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The fields that may contain the detected level of an event, in the order of {@link
 * DetectedLevel}. If all are absent, the level follows from the number of a severity or from the
 * line. Immutable.
 */
public final class LevelFields {
  private final StreamLabels rules;
  private final LabelFields fields;

  /** The few fields that most senders use. */
  private final LabelFields usual;

  /** The number of fields at the beginning that hold the detected level as it was sent. */
  private final int asSent;

  private LevelFields(StreamLabels rules, LabelFields fields, LabelFields usual) {
    this.rules = rules;
    this.fields = fields;
    this.usual = usual;
    asSent = rules.paths(StreamLabels.DETECTED_LEVEL, false).size();
  }

  /** Adds the fields to a tree, and returns them. */
  public static LevelFields of(StreamLabels rules, FieldTree tree) {
    LabelFields all = LabelFields.of(ofObject -> paths(rules, ofObject), tree::add);
    return new LevelFields(rules, all, LabelFields.of(is -> usual(rules, is), tree::add));
  }

  /** Returns the usual fields alone, by the numbers that a function gives to their paths. */
  public static LevelFields ofUsual(StreamLabels rules, ToIntFunction<String> number) {
    LabelFields usual = LabelFields.of(ofObject -> usual(rules, ofObject), number);
    return new LevelFields(rules, usual, usual);
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

  private static List<String> usual(StreamLabels rules, boolean ofObject) {
    List<String> paths = first(rules, ofObject);
    paths.add(StreamLabels.metadata(StreamLabels.LEVEL, ofObject));
    return paths;
  }

  /** The rules by which the level is derived if no field contains it. */
  public StreamLabels rules() {
    return rules;
  }

  /** Returns the level; null if none of these fields contains it. */
  public @Nullable String level(byte[] bytes, Spans places) {
    int index = fields.find(bytes, places);
    if (index == LabelFields.NONE) {
      return null;
    }
    String text = fields.text(index, bytes, places);
    return fields.rank(index) < asSent ? text : LevelNames.normal(text);
  }

  /** Whether the usual fields alone determine the level. */
  public boolean isUsual(byte[] bytes, Spans places) {
    int index = usual.find(bytes, places);
    return index != LabelFields.NONE
        && usual.field(index) == fields.field(fields.find(bytes, places));
  }
}
