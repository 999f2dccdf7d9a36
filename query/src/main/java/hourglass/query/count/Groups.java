package hourglass.query.count;

import hourglass.bucketing.EventType;
import hourglass.query.Gaps;
import hourglass.query.Group;
import hourglass.query.Grouped;
import hourglass.query.Grouping;
import hourglass.query.Selection;
import hourglass.query.Steps;
import hourglass.query.TypeCount;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.StoreAccess;
import hourglass.query.values.ValueTally;
import hourglass.store.Columns;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValues;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The groups of an answer, which assign a group to each event. A bounded number of groups is found
 * in a separate pass, so that each of them has a place in the count from the beginning. Immutable.
 */
final class Groups {
  private final Grouping grouping;

  /**
   * The positions in {@code ranked} by key; null if each type is a group, or all events are one.
   */
  private final @Nullable Map<ByteBuffer, Integer> ranks;

  /** The groups, those with most events first. */
  private final List<Group> ranked;

  private final boolean isExact;

  private Groups(
      Grouping grouping,
      @Nullable Map<ByteBuffer, Integer> ranks,
      List<Group> ranked,
      boolean isExact) {
    this.grouping = grouping;
    this.ranks = ranks;
    this.ranked = ranked;
    this.isExact = isExact;
  }

  /** Finds the groups of a selection that have most events. */
  static Groups find(
      Selection selection,
      Grouping grouping,
      StoreAccess access,
      boolean partial,
      QueryThread thread) {
    if (!grouping.isBounded()) {
      return new Groups(grouping, null, List.of(), true);
    }
    AnswerRows rows = new AnswerRows(partial);
    Groups groups =
        grouping.hasFields() || selection.isFiltered()
            ? byFields(selection, grouping, access, rows, thread)
            : ofTypes(selection, grouping, access, rows, thread);
    return rows.facts(Gaps.NONE).isComplete() ? groups : groups.inexact();
  }

  private static Groups ofTypes(
      Selection selection,
      Grouping grouping,
      StoreAccess access,
      AnswerRows rows,
      QueryThread thread) {
    EventCounter counter = new EventCounter(access, null, rows);
    List<byte[]> keys =
        TypesCount.run(selection, counter, access.account(), thread).stream()
            .sorted(Comparator.comparingLong((TypeCount type) -> -type.count()))
            .limit(grouping.groupsMax())
            .map(type -> new GroupKeys(grouping, type.type(), () -> false).ofType())
            .map(Groups::bytes)
            .toList();
    return of(grouping, keys, true);
  }

  private static byte[] bytes(ByteBuffer key) {
    byte[] bytes = new byte[key.remaining()];
    key.get(bytes);
    return bytes;
  }

  private static Groups byFields(
      Selection selection,
      Grouping grouping,
      StoreAccess access,
      AnswerRows rows,
      QueryThread thread) {
    ValueTally tally = new ValueTally(access.options().topBytes());
    EventBatchReader.read(
        selection,
        access,
        rows,
        type ->
            new KeyBatch(
                new GroupKeys(grouping, type, access.gone()),
                Steps.whole(selection.range()),
                new TextGatherer(tally, access.account(), ValueBatch.BYTES_MAX)),
        thread);
    ValueTally.Frequent frequent = tally.frequent(grouping.groupsMax());
    access.account().give(tally.bytes());
    return of(grouping, frequent.values(), frequent.isExact());
  }

  private static Groups of(Grouping grouping, List<byte[]> keys, boolean isExact) {
    Map<ByteBuffer, Integer> ranks = new HashMap<>();
    List<Group> ranked = new ArrayList<>();
    for (byte[] key : keys) {
      ranks.put(ByteBuffer.wrap(key), ranked.size());
      ranked.add(GroupKeys.group(grouping, key));
    }
    return new Groups(grouping, ranks, ranked, isExact);
  }

  private Groups inexact() {
    return new Groups(grouping, ranks, ranked, false);
  }

  /** Whether the group depends on the payload. */
  boolean hasFields() {
    return grouping.hasFields();
  }

  /** The most groups of an answer, including the others. */
  int size() {
    return ranked.size() + 1;
  }

  /** Returns the group of a type's events. Only called if the grouping has no fields. */
  Group ofType(String type) {
    Finder finder = new Finder(type, () -> false);
    return finder.group(finder.only);
  }

  Finder finder(String type, BooleanSupplier gone) {
    return new Finder(type, gone);
  }

  /** Finds the group of each event of a type. Used by one thread at a time. */
  final class Finder {
    private final GroupKeys keys;
    private final String type;

    /** The rank of all events of the type; negative if the payload decides. */
    private final int only;

    private Finder(String type, BooleanSupplier gone) {
      this.type = type;
      keys = new GroupKeys(grouping, type, gone);
      only = hasFields() ? -1 : ranks == null ? 0 : rank(keys.ofType());
    }

    /** The bound that all ranks are below. */
    int ranks() {
      return size();
    }

    /** Returns the rank of the group of column {@code i}. */
    int rank(Columns columns, int i) {
      return only >= 0 ? only : rank(keys.of(columns, i));
    }

    /** Returns the rank of the group of entry {@code i} of the values of {@link #fields}. */
    int rank(FieldValues values, int i) {
      return only >= 0 ? only : rank(keys.of(values, i));
    }

    /** Returns the fields that decide the group. */
    List<FieldFinder> fields() {
      return only >= 0 ? List.of() : keys.fields();
    }

    private int rank(ByteBuffer key) {
      return Objects.requireNonNull(ranks).getOrDefault(key, ranked.size());
    }

    Group group(int rank) {
      if (ranks == null) {
        return grouping.by().isEmpty() ? Group.ALL : Group.ofType(type);
      }
      return rank < ranked.size() ? ranked.get(rank) : Group.OTHERS;
    }
  }

  /** Sorts the results of groups. */
  <T> Grouped<T> inOrder(Map<Group, T> counted) {
    Stream<Group> order =
        ranks == null
            ? counted.keySet().stream()
                .sorted(Comparator.comparing(Groups::type, EventType::compare))
            : Stream.concat(ranked.stream(), Stream.of(Group.OTHERS));
    return new Grouped<>(
        order
            .filter(counted::containsKey)
            .map(group -> new Grouped.Series<>(group, Objects.requireNonNull(counted.get(group))))
            .toList(),
        isExact);
  }

  private static String type(Group group) {
    return group.parts().isEmpty() ? "" : group.parts().get(0).text();
  }
}
