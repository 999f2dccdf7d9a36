package hourglass.store.cassandra.late;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** The table {@code arrivals}: late arrival records, sorted by time of recording. Thread-safe. */
public final class LateArrivalsTable {
  /** The unit of reading; in a flood, some ten MB of records. */
  static final long SLOT_TICKS = 10 * Ticks.PER_SECOND;

  private static final int BUCKETS = 4;
  private static final int NAME_BYTES = 16;

  /** Records per page, each at most 64 KiB. */
  private static final int PAGE_RECORDS = 64;

  private final Cql cql;
  private final PreparedStatement insert;
  private final PreparedStatement select;
  private final int keepSeconds;
  private final AtomicInteger nextBucket = new AtomicInteger();

  public LateArrivalsTable(Cql cql, Duration keep) {
    this.cql = cql;
    // Longer than configured, so that a place younger than that has certainly lost no record.
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

  CompletionStage<Void> put(TimeUuid place, RowKey row, Columns names) {
    ByteBuffer bytes = ByteBuffer.allocate(NAME_BYTES * names.size());
    for (int i = 0; i < names.size(); i++) {
      bytes.putLong(names.ticks(i)).putLong(names.lsb(i));
    }
    return cql.write(
        insert.bind(
            slot(place.ticks()),
            Math.floorMod(nextBucket.getAndIncrement(), BUCKETS),
            place.toUuid(),
            row.toString(),
            bytes.flip(),
            keepSeconds));
  }

  /** Exclusive {@code after}; sorted by place. */
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
    ByteBuffer bytes = Objects.requireNonNull(row.getByteBuffer(2));
    int size = bytes.remaining() / NAME_BYTES;
    long[] ticks = new long[size];
    long[] lsbs = new long[size];
    for (int i = 0; i < size; i++) {
      ticks[i] = bytes.getLong();
      lsbs[i] = bytes.getLong();
    }
    return new LateArrival(
        place(place),
        RowKey.parse(Objects.requireNonNull(row.getString(1))),
        Columns.ofNames(ticks, lsbs, size));
  }
}
