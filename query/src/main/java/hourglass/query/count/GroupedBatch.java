package hourglass.query.count;

import hourglass.bytes.JsonPath;
import hourglass.query.Group;
import hourglass.query.Steps;
import hourglass.store.Columns;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValues;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects the values of a field by group and step. */
final class GroupedBatch extends EventBatch.OfFields {
  private static final int NO_STEP = -1;

  private final Groups.Finder groups;
  private final Steps steps;
  private final List<FieldFinder> fields;
  private final @Nullable JsonPath path;
  private final Sinks sinks;

  /** The sinks of the current step, by the rank of the group. */
  private final @Nullable ValueSink[] ofStep;

  private int step = NO_STEP;

  /** Makes a sink for the values of a group and a step. */
  @FunctionalInterface
  interface Sinks {
    ValueSink of(Group group, int step);
  }

  /** If {@code field} is null, all events count as absent. */
  GroupedBatch(
      Groups.Finder groups,
      Steps steps,
      @Nullable String field,
      BooleanSupplier gone,
      Sinks sinks) {
    this.groups = groups;
    this.steps = steps;
    path = field == null ? null : new JsonPath(field, gone);
    fields =
        field == null
            ? groups.fields()
            : Stream.concat(groups.fields().stream(), Stream.of(new PathFinder(field, gone)))
                .toList();
    this.sinks = sinks;
    ofStep = new ValueSink[groups.ranks()];
  }

  @Override
  List<FieldFinder> fields() {
    return fields;
  }

  @Override
  Steps steps() {
    return steps;
  }

  @Override
  void take(FieldValues values, int i) {
    ValueSink sink = sink(groups.rank(values, i), values.step(i));
    int field = fields.size() - 1;
    if (path != null && values.end(i, field) > values.start(i, field)) {
      sink.take(values.bytes(), values.start(i, field), values.end(i, field), values.count(i));
    } else {
      sink.takeAbsent(values.count(i));
    }
  }

  @Override
  void take(Columns columns, int i) {
    ValueSink sink = sink(groups.rank(columns, i), steps.step(columns.ticks(i)));
    byte[] bytes = columns.bytes();
    int from = columns.offset(i);
    if (path != null && path.find(bytes, from, from + columns.length(i))) {
      sink.take(bytes, path.from(), path.to(), 1);
    } else {
      sink.takeAbsent(1);
    }
  }

  private ValueSink sink(int rank, int stepOfEvent) {
    if (stepOfEvent != step) {
      flush(); // a row ascends, so steps change seldom
      step = stepOfEvent;
    }
    ValueSink sink = ofStep[rank];
    if (sink == null) {
      sink = sinks.of(groups.group(rank), step);
      ofStep[rank] = sink;
    }
    return sink;
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
