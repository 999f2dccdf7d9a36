package hourglass.store.cassandra.late;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.driver.Joiner;
import hourglass.store.cassandra.driver.TokenRanges;
import hourglass.store.cassandra.rows.PackedNames;
import hourglass.store.erasure.Placeholders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The table {@code arrivals}: late arrival records, sorted by time of recording. Thread-safe. */
public final class LateArrivalsTable {
  /** The unit of reading; in a flood, some ten MB of records. */
  static final long SLOT_TICKS = 10 * Ticks.PER_SECOND;

  private static final int BUCKETS = 4;

  /** Names of records that are stored together, a few tens of KiB of them. */
  private static final long TOGETHER_MAX = LateArrival.NAMES_MAX;

  /** The names among the values of an insert. */
  private static final int NAMES_INDEX = 4;

  /** Records per page, each at most 64 KiB. */
  private static final int PAGE_RECORDS = 64;

  private final Cql cql;
  private final PreparedStatement insert;
  private final PreparedStatement select;
  private final PreparedStatement selectAll;
  private final int keepSeconds;
  private final AtomicInteger nextBucket = new AtomicInteger();
  private final Joiner<Integer, Note> joiner =
      new Joiner<>(this::put, note -> note.names().size(), TOGETHER_MAX);

  private record Note(
      Supplier<TimeUuid> places,
      RowKey row,
      Columns names,
      BiFunction<RowKey, Columns, CompletionStage<Columns>> unerased,
      AtomicLong sentTicks) {}

  public LateArrivalsTable(Cql cql, Duration keep) {
    this.cql = cql;
    // Records are kept longer than configured, so that a place younger than that has certainly lost
    // none.
    this.keepSeconds = Math.toIntExact(keep.plusMinutes(5).toSeconds());
    insert =
        cql.prepare(
            "INSERT INTO %s.arrivals (slot, bucket, place, row, names)"
                + " VALUES (?, ?, ?, ?, ?) USING TTL ?");
    select =
        cql.prepare(
            "SELECT place, row, names FROM %s.arrivals"
                + " WHERE slot = ? AND bucket = ? AND place > ?");
    selectAll =
        cql.prepare(
            "SELECT slot, bucket, place, row, names, TTL(names), WRITETIME(names) FROM %s.arrivals"
                + " WHERE token(slot, bucket) > ? AND token(slot, bucket) <= ?");
  }

  static int slot(long ticks) {
    return Math.toIntExact(Math.floorDiv(ticks - Ticks.UNIX_EPOCH, SLOT_TICKS));
  }

  static LateArrivalPlace endOf(int slot) {
    return new LateArrivalPlace(Ticks.UNIX_EPOCH + (slot + 1L) * SLOT_TICKS - 1, Long.MAX_VALUE);
  }

  /** Places sort like their names. */
  public static LateArrivalPlace place(TimeUuid name) {
    return new LateArrivalPlace(name.ticks(), TimeUuid.sortable(name.lsb()) ^ Long.MIN_VALUE);
  }

  private static TimeUuid name(LateArrivalPlace place) {
    return new TimeUuid(place.high(), TimeUuid.sortable(place.low() ^ Long.MIN_VALUE));
  }

  /**
   * Stores a record, perhaps with others. What follows runs apart from the threads that serve
   * connections: a record is often followed by the encoding of its columns.
   *
   * @param places gives its place when it is about to be sent
   * @param unerased returns the names that are not erased, and is asked last; without any, nothing
   *     is stored
   * @return the ticks of the place
   */
  CompletionStage<Long> put(
      Supplier<TimeUuid> places,
      RowKey row,
      Columns columns,
      BiFunction<RowKey, Columns, CompletionStage<Columns>> unerased) {
    Note note = new Note(places, row, columns.namesOnly(), unerased, new AtomicLong());
    int bucket = Math.floorMod(nextBucket.getAndIncrement(), BUCKETS);
    return joiner
        .add(bucket, note, cql.readers())
        .thenApplyAsync(done -> note.sentTicks().get(), cql.readers());
  }

  private CompletionStage<Void> put(int bucket, List<Note> notes) {
    Map<Integer, List<Insert>> bySlot = new HashMap<>();
    for (Note note : notes) {
      TimeUuid place = note.places().get();
      note.sentTicks().set(place.ticks());
      int slot = slot(place.ticks());
      bySlot
          .computeIfAbsent(slot, added -> new ArrayList<>(notes.size()))
          .add(
              new Insert(
                  note,
                  insert.bind(
                      slot,
                      bucket,
                      place.toUuid(),
                      note.row().toString(),
                      PackedNames.encode(note.names()),
                      keepSeconds)));
    }
    return Futures.allOf(
        bySlot.values().stream().map(inserts -> cql.write(() -> unerased(inserts))));
  }

  /** An insert of a record whose names may have been erased since. */
  private record Insert(Note note, BoundStatement whole) {
    CompletionStage<Optional<BatchableStatement<?>>> unerased() {
      return note.unerased()
          .apply(note.row(), note.names())
          .thenApply(
              left ->
                  left.isEmpty()
                      ? Optional.empty()
                      : Optional.of(
                          left == note.names()
                              ? whole
                              : whole.setByteBuffer(NAMES_INDEX, PackedNames.encode(left))));
    }
  }

  private static CompletionStage<Optional<Statement<?>>> unerased(List<Insert> inserts) {
    return Futures.all(inserts.stream().map(Insert::unerased))
        .thenApply(all -> batch(all.stream().flatMap(Optional::stream).toList()));
  }

  /** Joins inserts into one partition, since a node refuses large batches of several. */
  private static Optional<Statement<?>> batch(List<? extends BatchableStatement<?>> inserts) {
    return switch (inserts.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of((BoundStatement) inserts.get(0));
      default -> Optional.of(BatchStatement.newInstance(DefaultBatchType.UNLOGGED).addAll(inserts));
    };
  }

  /** Reads the records of a slot after a place (exclusive), sorted by place. */
  CompletionStage<List<LateArrival>> slot(int slot, LateArrivalPlace after) {
    ConcurrentLinkedQueue<LateArrival> records = new ConcurrentLinkedQueue<>();
    return Futures.allOf(
            IntStream.range(0, BUCKETS)
                .mapToObj(bucket -> select.bind(slot, bucket, name(after).toUuid()))
                .map(bucket -> bucket.setPageSize(PAGE_RECORDS))
                .map(bucket -> cql.readAll(bucket, row -> records.add(record(row)))))
        .thenApply(
            done -> records.stream().sorted(Comparator.comparing(LateArrival::place)).toList());
  }

  private static LateArrival record(Row row) {
    TimeUuid place = TimeUuid.of(Objects.requireNonNull(row.getUuid(0)));
    return new LateArrival(
        place(place), RowKey.parse(Objects.requireNonNull(row.getString(1))), names(row, 2));
  }

  private static Columns names(Row row, int column) {
    return PackedNames.decode(Objects.requireNonNull(row.getByteBuffer(column)), "arrivals");
  }

  /**
   * Replaces names in the records that have them by {@link Placeholders}. It reads the whole table,
   * since a column may have come at any time after its own.
   *
   * @param erased the names to replace, by type hour
   */
  public CompletionStage<Void> erase(Map<TypeHour, Columns> erased) {
    return TokenRanges.readAll((after, to) -> erase(after, to, erased));
  }

  private CompletionStage<Void> erase(long after, long to, Map<TypeHour, Columns> erased) {
    Queue<CompletionStage<Void>> changes = new ConcurrentLinkedQueue<>();
    return cql.readAll(
            selectAll.bind(after, to).setPageSize(PAGE_RECORDS),
            record -> {
              RowKey row = RowKey.parse(Objects.requireNonNull(record.getString(3)));
              Columns gone = erased.get(row.typeHour());
              if (gone != null) {
                changes.add(erase(record, gone));
              }
            })
        .thenCompose(done -> Futures.allOf(changes.stream()));
  }

  private CompletionStage<Void> erase(Row record, Columns gone) {
    Columns names = names(record, 4);
    Columns replaced = Placeholders.replace(names, gone::contains);
    return replaced == names
        ? CompletableFuture.completedFuture(null)
        : cql.write(
            insert
                .bind(
                    record.getInt(0),
                    record.getInt(1),
                    record.getUuid(2),
                    record.getString(3),
                    PackedNames.encode(replaced),
                    record.getInt(5))
                .setQueryTimestamp(cql.microsAfter(record.getLong(6))));
  }
}
