package hourglass.query.loki;

import hourglass.query.line.StreamLabels;
import hourglass.store.Columns;
import org.jspecify.annotations.Nullable;

/**
 * A line on its way through a pipeline. It is read, and changed by a stage, once a filter after
 * that stage needs it. Used by one thread.
 */
final class StagedLine {
  private final Pipeline pipeline;
  private final StreamLabels rules;
  private final String type;
  private final Columns columns;
  private final int i;
  private @Nullable LogLine line;

  /** The number of changes so far. */
  private int changes;

  StagedLine(Pipeline pipeline, StreamLabels rules, String type, Columns columns, int i) {
    this.pipeline = pipeline;
    this.rules = rules;
    this.type = type;
    this.columns = columns;
    this.i = i;
  }

  /** Returns the line after this many changes, or after more, if those were needed before. */
  LogLine after(int wanted) {
    LogLine known = line;
    if (known == null) {
      known = new LogLine(rules, type, columns, i);
      line = known;
    }
    while (changes < wanted) {
      pipeline.changes().get(changes++).accept(known);
    }
    return known;
  }

  /** Returns the line after all changes. */
  LogLine end() {
    return after(pipeline.changes().size());
  }
}
