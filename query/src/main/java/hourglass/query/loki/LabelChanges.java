package hourglass.query.loki;

import hourglass.query.logql.Stage;
import java.util.HashSet;
import java.util.Set;

/**
 * The stages of a pipeline, so far, that change the line or its labels. They decide whether the
 * fields of an event still show the value of a label. Used by one thread.
 */
final class LabelChanges {
  private final Set<String> dropped = new HashSet<>();

  private int count;

  /** The number of stages up to the last one that replaced the text. */
  private int ofText;

  /** Whether the line is read as JSON. */
  private boolean readLine;

  /** Whether a stage other than the first {@code json} and {@code drop} may change labels. */
  private boolean needLine;

  void add(Stage stage) {
    count++;
    if (stage instanceof Stage.LineFormat) {
      ofText = count;
    }
    if (stage instanceof Stage.Select select && !select.keeps()) {
      dropped.addAll(select.names());
    } else if (stage instanceof Stage.Json && !readLine) {
      readLine = true;
    } else {
      needLine = true;
    }
  }

  /** The number of stages. */
  int count() {
    return count;
  }

  /** The number of stages up to the last one that replaced the text of the line; 0 if none did. */
  int ofText() {
    return ofText;
  }

  /** Whether the members of a line that is a JSON object have become labels. */
  boolean readLine() {
    return readLine;
  }

  /** Whether labels may depend on the line in ways that no field shows. */
  boolean needLine() {
    return needLine;
  }

  /** Whether fields cannot show the value of a label. */
  boolean hide(String label) {
    return needLine || dropped.contains(label);
  }

  /** The labels that are removed, from all events. */
  Set<String> dropped() {
    return Set.copyOf(dropped);
  }
}
