package hourglass.query.count;

import hourglass.query.BadParameterException;
import hourglass.query.Group;
import hourglass.query.Steps;
import hourglass.query.Top;
import hourglass.query.TopQuery;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.StoreAccess;
import hourglass.query.values.TopValues;
import hourglass.query.values.ValueTally;
import java.util.HashMap;
import java.util.Map;

/** Counts the values of a {@link TopQuery}. Thread-safe. */
public final class TopCount {
  private final TopQuery query;
  private final StoreAccess access;
  private final Groups groups;

  /** The tally of each group. Guarded by this. */
  private final Map<Group, ValueTally> tallies = new HashMap<>();

  private TopCount(TopQuery query, StoreAccess access, Groups groups) {
    this.query = query;
    this.access = access;
    this.groups = groups;
    if (query.grouping().by().isEmpty()) {
      tallies.put(Group.ALL, new ValueTally(access.options().topBytes()));
    }
  }

  public static Top run(
      TopQuery query,
      StoreAccess access,
      AnswerRows answerRows,
      boolean partial,
      QueryThread thread) {
    Groups groups = Groups.find(query.selection(), query.grouping(), access, partial, thread);
    TopCount count = new TopCount(query, access, groups);
    count.check(groups.size() - 1); // before anything is read for them
    EventBatchReader.read(query.selection(), access, answerRows, count::batch, thread);
    return count.toTop();
  }

  private EventBatch batch(String type) {
    Steps whole = Steps.whole(query.selection().range());
    if (!groups.hasFields()) {
      return new FieldBatch(query.path(), whole, access.gone(), values(groups.ofType(type), 0));
    }
    return new GroupedBatch(
        groups.finder(type, access.gone()), whole, query.path(), access.gone(), this::values);
  }

  private ValueBatch values(Group group, int step) {
    int bytesMax = Math.max(ValueBatch.VALUE_BYTES_MAX, ValueBatch.BYTES_MAX / groups.size());
    return new ValueBatch(tally(group), access.account(), bytesMax);
  }

  /** Returns the tally of a group. The groups share the memory of one query evenly. */
  private synchronized ValueTally tally(Group group) {
    return tallies.computeIfAbsent(
        group,
        absent -> {
          check(tallies.size() + 1);
          return new ValueTally(access.options().topBytes() / groups.size());
        });
  }

  /** Refuses too many values. Only groups that exist have values. */
  private void check(int groupsThere) {
    if ((long) groupsThere * query.n() > access.options().buckets()) {
      throw new BadParameterException(
          "n: %d values of each of %d groups are more than %d; want fewer values or groups"
              .formatted(query.n(), groupsThere, access.options().buckets()));
    }
  }

  private synchronized Top toTop() {
    Map<Group, TopValues> values = new HashMap<>();
    tallies.forEach((group, tally) -> values.put(group, tally.top(query.n())));
    values
        .entrySet()
        .removeIf(one -> !one.getKey().equals(Group.ALL) && one.getValue().events() == 0);
    return new Top(query.path(), query.grouping(), groups.inOrder(values));
  }
}
