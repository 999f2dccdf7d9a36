package hourglass.query.count;

import hourglass.query.BadParameterException;
import hourglass.query.Group;
import hourglass.query.Stats;
import hourglass.query.StatsQuery;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.StoreAccess;
import hourglass.query.values.NumberSummary;
import hourglass.query.values.NumberTally;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Summarizes the numbers of a {@link StatsQuery}. Thread-safe. */
public final class StatsCount {
  private final StatsQuery query;
  private final StoreAccess access;
  private final Groups groups;
  private final int steps;
  private final AtomicLong bytes = new AtomicLong();

  /** A tally for each step with events. Guarded by this. */
  private final Map<Group, @Nullable NumberTally[]> tallies = new HashMap<>();

  private StatsCount(StatsQuery query, StoreAccess access, Groups groups) {
    this.query = query;
    this.access = access;
    this.groups = groups;
    checkSteps(1);
    steps = Math.toIntExact(query.steps().count());
    if (query.grouping().by().isEmpty()) {
      tallies.put(Group.ALL, new NumberTally[steps]);
    }
  }

  private void checkSteps(long series) {
    int bucketsMax = access.options().buckets();
    if (series * query.steps().count() > bucketsMax) {
      throw HitsCount.tooManySteps(query.stepMillis(), bucketsMax);
    }
  }

  public static Stats run(
      StatsQuery query,
      StoreAccess access,
      AnswerRows answerRows,
      boolean partial,
      QueryThread thread) {
    Groups groups = Groups.find(query.selection(), query.grouping(), access, partial, thread);
    StatsCount count = new StatsCount(query, access, groups);
    EventBatchReader.read(query.selection(), access, answerRows, count::batch, thread);
    return count.toStats();
  }

  private EventBatch batch(String type) {
    if (query.steps().isWhole() && !groups.hasFields()) {
      return new FieldBatch(
          query.path(), query.steps(), access.gone(), numbers(groups.ofType(type), 0));
    }
    return new GroupedBatch(
        groups.finder(type, access.gone()),
        query.steps(),
        query.path(),
        access.gone(),
        this::numbers);
  }

  private NumberBatch numbers(Group group, int step) {
    return new NumberBatch(tally(group, step), this::grow);
  }

  private synchronized NumberTally tally(Group group, int step) {
    @Nullable NumberTally[] ofGroup = tallies.get(group);
    if (ofGroup == null) {
      checkSteps(tallies.size() + 1L);
      ofGroup = new NumberTally[steps];
      tallies.put(group, ofGroup);
    }
    NumberTally tally = ofGroup[step];
    if (tally == null) {
      tally = new NumberTally();
      ofGroup[step] = tally;
    }
    return tally;
  }

  private void grow(long more) {
    access.account().take(more);
    int bytesMax = access.options().statsBytes();
    if (bytes.addAndGet(more) > bytesMax) {
      throw new BadParameterException(
          "field: the numbers of data.%s take more than %d bytes to sum up; want fewer types%s"
              .formatted(
                  query.path(),
                  bytesMax,
                  query.grouping().by().isEmpty()
                      ? " or a shorter range"
                      : ", groups or steps, or no by"));
    }
  }

  private synchronized Stats toStats() {
    Map<Group, List<NumberSummary>> summaries = new HashMap<>();
    tallies.forEach(
        (group, ofGroup) -> {
          List<NumberSummary> ofSteps =
              Arrays.stream(ofGroup)
                  .map(tally -> tally == null ? NumberSummary.NONE : tally.summary())
                  .toList();
          if (group.equals(Group.ALL) || ofSteps.stream().anyMatch(one -> one.events() > 0)) {
            summaries.put(group, ofSteps);
          }
        });
    return new Stats(query.path(), query.steps(), query.grouping(), groups.inOrder(summaries));
  }
}
