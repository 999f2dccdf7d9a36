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
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.driver.Joiner;
import hourglass.store.pages.NamesCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The table {@code arrivals}: late arrival records, sorted by time of recording. Thread-safe. */
public final class LateArrivalsTable {
  /** The unit of reading; in a flood, some ten MB of records. */
  static final long SLOT_TICKS = 10 * Ticks.PER_SECOND;

  private static final int BUCKETS = 4;

  /** The format of the names, which is the first byte of each record's. */
  private static final byte PACKED = (byte) 0xff;

  /** Names of records that are stored together, a few tens of KiB of them. */
  private static final long TOGETHER_MAX = LateArrival.NAMES_MAX;

  private static final ThreadLocal<NamesCodec> CODEC = ThreadLocal.withInitial(NamesCodec::new);

  /** Records per page, each at most 64 KiB. */
  private static final int PAGE_RECORDS = 64;

  private final Cql cql;
  private final PreparedStatement insert;
  private final PreparedStatement select;
  private final int keepSeconds;
  private final AtomicInteger nextBucket = new AtomicInteger();
  private final Joiner<Integer, Note> joiner =
      new Joiner<>(this::put, note -> note.names().size(), TOGETHER_MAX);

  private record Note(Supplier<TimeUuid> places, RowKey row, Columns names, AtomicLong sentTicks) {}

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
   * @param places gives its place when it is sent
   * @return the ticks of the place
   */
  CompletionStage<Long> put(Supplier<TimeUuid> places, RowKey row, Columns columns) {
    Note note = new Note(places, row, columns.namesOnly(), new AtomicLong());
    int bucket = Math.floorMod(nextBucket.getAndIncrement(), BUCKETS);
    return joiner
        .add(bucket, note, cql.readers())
        .thenApplyAsync(done -> note.sentTicks().get(), cql.readers());
  }

  private CompletionStage<Void> put(int bucket, List<Note> notes) {
    Map<Integer, List<BatchableStatement<?>>> bySlot = new HashMap<>();
    for (Note note : notes) {
      TimeUuid place = note.places().get();
      note.sentTicks().set(place.ticks());
      int slot = slot(place.ticks());
      bySlot
          .computeIfAbsent(slot, added -> new ArrayList<>(notes.size()))
          .add(
              insert.bind(
                  slot,
                  bucket,
                  place.toUuid(),
                  note.row().toString(),
                  encode(note.names()),
                  keepSeconds));
    }
    return Futures.allOf(bySlot.values().stream().map(inserts -> cql.write(batch(inserts))));
  }

  /** Joins inserts into one partition, since a node refuses large batches of several. */
  private static Statement<?> batch(List<BatchableStatement<?>> inserts) {
    return inserts.size() == 1
        ? (BoundStatement) inserts.get(0)
        : BatchStatement.newInstance(DefaultBatchType.UNLOGGED, inserts);
  }

  private static ByteBuffer encode(Columns names) {
    byte[] packed = CODEC.get().encode(names);
    return ByteBuffer.allocate(1 + packed.length).put(PACKED).put(packed).flip();
  }

  private static Columns decode(ByteBuffer bytes) {
    byte format = bytes.get(bytes.position());
    if (format != PACKED) {
      throw new CorruptException(
          "arrivals: names of format %s, this program reads %s".formatted(format, PACKED));
    }
    byte[] packed = new byte[bytes.remaining() - 1];
    bytes.get(bytes.position() + 1, packed);
    return CODEC.get().decode(packed, LateArrival.NAMES_MAX);
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
        place(place),
        RowKey.parse(Objects.requireNonNull(row.getString(1))),
        decode(Objects.requireNonNull(row.getByteBuffer(2))));
  }
}
