package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FirstTimes;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import hourglass.store.erasure.ErasedRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The columns that a store must and may contain: acknowledged ones must be there, ones that were
 * only sent may be. Thread-safe.
 */
final class Expectation {
  /**
   * Limit for an answer, as long as tests are patient; some processes of tests lack the class that
   * states it.
   */
  private static final long ANSWER_SECONDS = 120;

  /** All payloads sent under a name, and the largest that was acknowledged. */
  private static final class Cell {
    final List<byte[]> sent = new ArrayList<>();
    byte @Nullable [] acknowledged;
  }

  private final Map<RowKey, TreeMap<TimeUuid, Cell>> rows = new HashMap<>();
  private final Map<Long, Long> firstTimes = new HashMap<>();
  private volatile boolean frozen;

  /** Ignores everything sent or acknowledged from now on. */
  void freeze() {
    frozen = true;
  }

  void thaw() {
    frozen = false;
  }

  synchronized void sent(List<Mutation> mutations) {
    if (frozen) {
      return;
    }
    for (Mutation mutation : mutations) {
      for (int i = 0; i < mutation.columns().size(); i++) {
        cells(mutation.row())
            .computeIfAbsent(mutation.columns().id(i), any -> new Cell())
            .sent
            .add(mutation.columns().payload(i));
      }
    }
  }

  synchronized void acknowledged(List<Mutation> mutations) {
    if (frozen) {
      return;
    }
    for (Mutation mutation : mutations) {
      for (int i = 0; i < mutation.columns().size(); i++) {
        Cell cell = cells(mutation.row()).get(mutation.columns().id(i));
        cell.acknowledged = larger(cell.acknowledged, mutation.columns().payload(i));
      }
    }
  }

  private static byte[] larger(byte @Nullable [] a, byte[] b) {
    return a != null && Arrays.compareUnsigned(a, b) >= 0 ? a : b;
  }

  synchronized void acknowledged(FirstTimes times) {
    for (int i = 0; i < times.size() && !frozen; i++) {
      firstTimes.put(times.lsb(i), times.ticks(i));
    }
  }

  /** An event that was acknowledged has its first time. */
  synchronized void checkFirstTimes(WideColumnStore store) {
    firstTimes.forEach(
        (lsb, ticks) ->
            assertThat(
                    await(
                            store.firstTimes(
                                new FirstTimes(new long[] {lsb}, new long[1], new long[] {1}),
                                SharedRoom.NOBODY))
                        .ticks(0))
                .as("first time of event %s", lsb)
                .isEqualTo(ticks));
  }

  /** The hour may lose its columns from now on. */
  void dropSent(Hour hour) {
    dropSent(row -> row.hour().equals(hour));
  }

  void dropSent(TypeHour typeHour) {
    dropSent(row -> row.typeHour().equals(typeHour));
  }

  private synchronized void dropSent(Predicate<RowKey> isOfDrop) {
    if (!frozen) {
      rows.forEach(
          (row, cells) -> {
            if (isOfDrop.test(row)) {
              cells.values().forEach(cell -> cell.acknowledged = null);
            }
          });
    }
  }

  /** The hour must have lost them. */
  void dropAcknowledged(Hour hour) {
    dropAcknowledged(row -> row.hour().equals(hour));
  }

  void dropAcknowledged(TypeHour typeHour) {
    dropAcknowledged(row -> row.typeHour().equals(typeHour));
  }

  private synchronized void dropAcknowledged(Predicate<RowKey> isOfDrop) {
    if (!frozen) {
      rows.keySet().stream()
          .filter(isOfDrop)
          .toList()
          .forEach(row -> rows.put(row, new TreeMap<>()));
    }
  }

  /** These columns may be lost from now on. */
  synchronized void eraseSent(List<ErasedRow> erased) {
    if (!frozen) {
      forEach(erased, (cells, name) -> ifThere(cells, name).acknowledged = null);
    }
  }

  /** They must be lost. */
  synchronized void eraseAcknowledged(List<ErasedRow> erased) {
    if (!frozen) {
      forEach(erased, TreeMap::remove);
    }
  }

  private static Cell ifThere(TreeMap<TimeUuid, Cell> cells, TimeUuid name) {
    return cells.getOrDefault(name, new Cell());
  }

  private void forEach(
      List<ErasedRow> erased, BiConsumer<TreeMap<TimeUuid, Cell>, TimeUuid> action) {
    for (ErasedRow row : erased) {
      for (int i = 0; i < row.names().size(); i++) {
        action.accept(cells(row.row()), row.names().id(i));
      }
    }
  }

  /** A row must have lost its columns. */
  synchronized void over(RowKey row) {
    rows.put(row, new TreeMap<>());
  }

  synchronized int acknowledgedColumns() {
    return rows.values().stream()
        .mapToInt(
            cells ->
                (int) cells.values().stream().filter(cell -> cell.acknowledged != null).count())
        .sum();
  }

  private TreeMap<TimeUuid, Cell> cells(RowKey row) {
    return rows.computeIfAbsent(row, any -> new TreeMap<>());
  }

  synchronized List<RowKey> rows() {
    return List.copyOf(rows.keySet());
  }

  /** Checks a store that was just opened: what is there now must be there from now on. */
  synchronized void checkOpened(WideColumnStore store) {
    check(store, true);
  }

  /** Checks all of a store. */
  synchronized void check(WideColumnStore store) {
    check(store, false);
  }

  private void check(WideColumnStore store, boolean settle) {
    for (RowKey row : rows()) {
      List<Columns> found = read(store, row, Order.ASCENDING);
      compare(row, found, settle);
      int columns = found.stream().mapToInt(Columns::size).sum();
      long bytes = found.stream().mapToLong(Columns::payloadBytes).sum();
      checkCount(store, row, columns, bytes);
      checkEntry(store, row, columns);
    }
  }

  private void compare(RowKey row, List<Columns> found, boolean settle) {
    TreeMap<TimeUuid, Cell> left = new TreeMap<>(cells(row));
    @Nullable TimeUuid before = null;
    for (Columns columns : found) {
      for (int i = 0; i < columns.size(); i++) {
        TimeUuid name = columns.id(i);
        byte[] payload = columns.payload(i);
        assertThat(before == null || before.compareTo(name) < 0).as("order at %s", name).isTrue();
        before = name;
        Cell cell = left.remove(name);
        assertThat(cell).as("%s: %s was never written", row, name).isNotNull();
        assertThat(cell.sent.stream().anyMatch(sent -> Arrays.equals(sent, payload)))
            .as("%s: payload of %s was written", row, name)
            .isTrue();
        byte[] least = cell.acknowledged;
        assertThat(least == null || Arrays.compareUnsigned(payload, least) >= 0)
            .as("%s: payload of %s as acknowledged", row, name)
            .isTrue();
        if (settle) {
          cell.sent.clear();
          cell.sent.add(payload);
          cell.acknowledged = payload;
        }
      }
    }
    List<TimeUuid> lost =
        left.entrySet().stream()
            .filter(entry -> entry.getValue().acknowledged != null)
            .map(Map.Entry::getKey)
            .toList();
    assertThat(lost).as("%s: acknowledged and lost, of %s", row, cells(row).size()).isEmpty();
    if (settle) {
      cells(row).keySet().removeAll(left.keySet());
    }
  }

  private static void checkCount(WideColumnStore store, RowKey row, int columns, long bytes) {
    CountQuery query =
        new CountQuery(row, ColumnRange.of(row.hour()), row.hour().startTicks(), Ticks.PER_MINUTE);
    var counts = await(store.count(query));
    assertThat(counts.columns()).as("count of %s", row).isEqualTo(columns);
    assertThat(counts.bytes()).as("bytes of %s", row).isEqualTo(bytes);
  }

  private static void checkEntry(WideColumnStore store, RowKey row, int columns) {
    List<RowEntry> entries =
        await(store.rows(row.hour())).stream().filter(e -> e.row().equals(row)).toList();
    assertThat(entries).as("entries of %s", row).hasSize(columns == 0 ? 0 : 1);
    for (RowEntry entry : entries) {
      if (entry.sealed()) {
        assertThat(entry.columns()).as("sealed count of %s", row).isEqualTo(columns);
      }
    }
  }

  static List<Columns> read(WideColumnStore store, RowKey row, Order order) {
    List<Columns> all = new ArrayList<>();
    SliceQuery query =
        new SliceQuery(row, ColumnRange.of(row.hour()), order, 1_000_000, Projection.COLUMNS);
    Slice slice = await(store.slice(query));
    all.add(slice.columns());
    while (slice.more()) {
      query = query.after(slice);
      slice = await(store.slice(query));
      all.add(slice.columns());
    }
    return all;
  }

  static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException e) {
      if (e.getCause() instanceof RuntimeException reason) {
        throw reason;
      }
      throw new AssertionError(e);
    } catch (java.util.concurrent.TimeoutException e) {
      Thread.getAllStackTraces()
          .forEach((thread, stack) -> System.out.println(thread + " " + Arrays.toString(stack)));
      throw new AssertionError("no answer within " + ANSWER_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
