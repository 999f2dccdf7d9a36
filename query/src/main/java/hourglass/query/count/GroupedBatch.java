package hourglass.query.count;

import hourglass.query.Group;
import hourglass.query.Steps;
import hourglass.query.where.json.FieldPath;
import hourglass.store.Columns;
import org.jspecify.annotations.Nullable;

/** Collects the values of a field by group and step. */
final class GroupedBatch extends EventBatch {
  private final Groups.Finder groups;
  private final Steps steps;
  private final @Nullable FieldPath path;
  private final Sinks sinks;

  /** Of the current step, by the rank of the group. */
  private final @Nullable ValueSink[] ofStep;

  private int step;
  private long stepEndTicks = Long.MIN_VALUE;

  /** Makes a sink for the values of a group and a step. */
  @FunctionalInterface
  interface Sinks {
    ValueSink of(Group group, int step);
  }

  /** A null {@code path} counts all events as absent ones. */
  GroupedBatch(Groups.Finder groups, Steps steps, @Nullable FieldPath path, Sinks sinks) {
    this.groups = groups;
    this.steps = steps;
    this.path = path;
    this.sinks = sinks;
    ofStep = new ValueSink[groups.ranks()];
  }

  @Override
  void take(Columns columns, int i) {
    if (columns.ticks(i) >= stepEndTicks) {
      flush(); // times ascend
      step = steps.step(columns.ticks(i));
      stepEndTicks = steps.endTicks(step);
    }
    int rank = groups.rank(columns, i);
    ValueSink sink = ofStep[rank];
    if (sink == null) {
      sink = sinks.of(groups.group(rank), step);
      ofStep[rank] = sink;
    }
    byte[] bytes = columns.bytes();
    int from = columns.offset(i);
    if (path != null && path.find(bytes, from, from + columns.length(i))) {
      sink.take(bytes, path.from(), path.to(), 1);
    } else {
      sink.takeAbsent(1);
    }
  }

  @Override
  void flush() {
    for (int rank = 0; rank < ofStep.length; rank++) {
      ValueSink sink = ofStep[rank];
      if (sink != null) {
        sink.flush();
        ofStep[rank] = null;
      }
    }
  }
}
