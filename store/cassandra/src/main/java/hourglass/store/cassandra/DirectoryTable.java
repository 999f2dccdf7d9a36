package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.GettableByName;
import com.datastax.oss.driver.api.core.data.UdtValue;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Manifest;
import hourglass.store.RowEntry.Mark;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.rows.RetentionClass;
import hourglass.store.cassandra.rows.Seal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The table {@code directory}: the rows of an hour, with one record per writer. */
final class DirectoryTable {
  /**
   * The number of partitions of an hour; see directory.cql. A different number would hide stored
   * rows.
   */
  static final int BUCKETS = 8;

  private static final String SEALER = "";
  private static final TypeCodec<List<Integer>> MINUTES = TypeCodecs.listOf(TypeCodecs.INT);
  private static final TypeCodec<Map<String, Long>> MARKS =
      TypeCodecs.mapOf(TypeCodecs.TEXT, TypeCodecs.BIGINT);

  private final Cql cql;
  private final UserDefinedType manifestType;
  private final PreparedStatement insertWriter;
  private final PreparedStatement insertManifest;
  private final PreparedStatement insertClean;
  private final PreparedStatement selectBucket;
  private final PreparedStatement selectRow;
  private final PreparedStatement deleteBucket;
  private final PreparedStatement deleteManifest;
  private final PreparedStatement widen;
  private final PreparedStatement selectMicros;

  /** A row as it is stored. One thread fills it; then it does not change. */
  static final class StoredRow {
    final RowKey row;

    /** The records of writers, sorted by name; empty if only a manifest is left. */
    final List<WriterRecord> writers = new ArrayList<>();

    @Nullable Manifest manifest;

    /**
     * The write timestamp of the manifest; 0 if there is none. A later manifest needs a greater
     * one.
     */
    long manifestMicros;

    /** The class whose table contains the pages of the seal; null if there are none. */
    @Nullable RetentionClass pages;

    /** Whether columns that are in the pages are also stored apart. */
    boolean hasLeftovers;

    StoredRow(RowKey row) {
      this.row = row;
    }
  }

  DirectoryTable(Cql cql) {
    this.cql = cql;
    insertWriter =
        cql.prepare(
            "INSERT INTO %s.directory (hour, generation, bucket, row, writer, class, mark, columns,"
                + " bytes, first, last, longest, open, written)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) USING TTL ?");
    insertManifest =
        cql.prepare(
            "INSERT INTO %s.directory (hour, generation, bucket, row, writer, manifest, class, open)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?");
    insertClean =
        cql.prepare(
            "INSERT INTO %s.directory (hour, generation, bucket, row, writer, open)"
                + " VALUES (?, ?, ?, ?, ?, false) USING TIMESTAMP ? AND TTL ?");
    String bucket = "%s.directory WHERE hour = ? AND generation = ? AND bucket = ?";
    String select =
        "SELECT row, writer, class, mark, columns, bytes, first, last, longest, open, written,"
            + " manifest, WRITETIME(manifest) AS sealed FROM ";
    selectBucket = cql.prepare(select + bucket);
    selectRow = cql.prepare(select + bucket + " AND row = ?");
    deleteBucket = cql.prepare("DELETE FROM " + bucket);
    deleteManifest =
        cql.prepare(
            "DELETE manifest, class, open FROM %s.directory USING TIMESTAMP ?"
                + " WHERE hour = ? AND generation = ? AND bucket = ? AND row = ? AND writer = ?");
    widen =
        cql.prepare(
            "UPDATE %s.directory USING TTL ? SET first = ?, last = ?"
                + " WHERE hour = ? AND generation = ? AND bucket = ? AND row = ? AND writer = ?");
    selectMicros =
        cql.prepare(
            "SELECT WRITETIME(mark), WRITETIME(first) FROM "
                + bucket
                + " AND row = ? AND writer = ?");
    manifestType =
        (UserDefinedType) insertManifest.getVariableDefinitions().get("manifest").getType();
  }

  static int bucket(RowKey row) {
    return (row.toString().hashCode() * 0x9E3779B9) >>> 29;
  }

  CompletionStage<Void> put(
      RowKey row, int generation, WriterRecord record, RetentionClass retentionClass) {
    return put(row, generation, record, retentionClass, cql.nextMicros());
  }

  /** Replaces a record that any process may have written. */
  CompletionStage<Void> replace(
      RowKey row, int generation, WriterRecord record, RetentionClass retentionClass) {
    return microsAfter(row, generation, record.writer())
        .thenCompose(micros -> put(row, generation, record, retentionClass, micros));
  }

  private CompletionStage<Long> microsAfter(RowKey row, int generation, String writer) {
    return cql.read(
            selectMicros.bind(
                row.hour().epochHours(), generation, bucket(row), row.toString(), writer))
        .thenApply(
            result -> {
              Row found = result.one();
              return cql.microsAfter(
                  found == null ? 0 : Math.max(found.getLong(0), found.getLong(1)));
            });
  }

  private CompletionStage<Void> put(
      RowKey row, int generation, WriterRecord record, RetentionClass retentionClass, long micros) {
    BoundStatement put =
        insertWriter.bind(
            row.hour().epochHours(),
            generation,
            bucket(row),
            row.toString(),
            record.writer(),
            record.retentionClass(),
            record.mark(),
            record.columns(),
            record.bytes(),
            record.first().toUuid(),
            record.last().toUuid(),
            record.longest(),
            record.open(),
            Instant.ofEpochMilli(record.writtenMillis()),
            retentionClass.seconds());
    // All attempts have one timestamp: a delayed retry must not override a later record.
    return cql.write(retentionClass.expiring(row.hour(), put.setQueryTimestamp(micros)));
  }

  /**
   * Publishes a manifest, and the pages of the row.
   *
   * @param micros the number of the seal, greater than that of the previous one
   * @param pages the class whose table contains the pages: of the row's classes, the one that is
   *     kept longest
   */
  CompletionStage<Void> seal(
      RowKey row, int generation, Manifest manifest, long micros, RetentionClass pages) {
    BoundStatement put =
        insertManifest.bind(
            row.hour().epochHours(),
            generation,
            bucket(row),
            row.toString(),
            SEALER,
            encode(manifest),
            pages.name(),
            true,
            micros,
            pages.seconds());
    return cql.write(pages.expiring(row.hour(), put));
  }

  /** Records that the leftovers of a seal were deleted; a later seal overrides this. */
  CompletionStage<Void> clean(RowKey row, int generation, Seal seal) {
    RetentionClass kept = seal.retentionClass();
    BoundStatement put =
        insertClean.bind(
            row.hour().epochHours(),
            generation,
            bucket(row),
            row.toString(),
            SEALER,
            seal.number() + 1,
            kept.seconds());
    return cql.write(kept.expiring(row.hour(), put));
  }

  /**
   * Removes the seal of a row that has no columns any more.
   *
   * @param micros the number that its next seal would have had
   */
  CompletionStage<Void> unseal(RowKey row, int generation, long micros) {
    return cql.write(
        deleteManifest.bind(
            micros, row.hour().epochHours(), generation, bucket(row), row.toString(), SEALER));
  }

  /** Replaces the first and last name of a writer's record by the ends of the hour. */
  CompletionStage<Void> widen(RowKey row, int generation, WriterRecord record) {
    RetentionClass kept = RetentionClass.parse(record.retentionClass());
    BoundStatement update =
        widen.bind(
            kept.seconds(),
            TimeUuid.first(row.hour().startTicks()).toUuid(),
            Directory.lastName(row.hour()).toUuid(),
            row.hour().epochHours(),
            generation,
            bucket(row),
            row.toString(),
            record.writer());
    return microsAfter(row, generation, record.writer())
        .thenCompose(
            micros -> cql.write(kept.expiring(row.hour(), update.setQueryTimestamp(micros))));
  }

  CompletionStage<List<StoredRow>> rows(Hour hour, int generation) {
    return Futures.all(
            IntStream.range(0, BUCKETS)
                .mapToObj(bucket -> selectBucket.bind(hour.epochHours(), generation, bucket))
                .map(this::read))
        .thenApply(
            buckets ->
                buckets.stream()
                    .flatMap(List::stream)
                    .sorted(Comparator.comparing(stored -> stored.row))
                    .toList());
  }

  /** Reads a row; if there is none, the result has no writers. */
  CompletionStage<StoredRow> row(RowKey row, int generation) {
    BoundStatement select =
        selectRow.bind(row.hour().epochHours(), generation, bucket(row), row.toString());
    return read(select).thenApply(rows -> rows.isEmpty() ? new StoredRow(row) : rows.get(0));
  }

  private CompletionStage<List<StoredRow>> read(BoundStatement select) {
    Map<String, StoredRow> rows = new TreeMap<>();
    return cql.readAll(select, record -> take(record, rows))
        .thenApply(done -> List.copyOf(rows.values()));
  }

  private static void take(Row record, Map<String, StoredRow> rows) {
    StoredRow row =
        rows.computeIfAbsent(
            Objects.requireNonNull(record.getString("row")),
            key -> new StoredRow(RowKey.parse(key)));
    String writer = Objects.requireNonNull(record.getString("writer"));
    if (!writer.equals(SEALER)) {
      row.writers.add(
          new WriterRecord(
              writer,
              Objects.requireNonNull(record.getString("class")),
              record.getLong("mark"),
              record.getLong("columns"),
              record.getLong("bytes"),
              name(record, "first"),
              name(record, "last"),
              record.getInt("longest"),
              record.getBoolean("open"),
              Objects.requireNonNull(record.getInstant("written")).toEpochMilli()));
    } else if (!record.isNull("manifest")) {
      row.manifest = decode(Objects.requireNonNull(record.getUdtValue("manifest")));
      row.manifestMicros = record.getLong("sealed");
      String pages = record.getString("class");
      row.pages = pages == null ? null : RetentionClass.parse(pages);
      row.hasLeftovers = record.getBoolean("open");
    }
  }

  private static TimeUuid name(GettableByName record, String column) {
    return TimeUuid.of(Objects.requireNonNull(record.getUuid(column)));
  }

  private UdtValue encode(Manifest manifest) {
    Map<String, Long> marks = new TreeMap<>();
    manifest.marks().forEach(mark -> marks.put(mark.writer(), mark.value()));
    return manifestType
        .newValue()
        .setLong("columns", manifest.columns())
        .setLong("bytes", manifest.bytes())
        .setUuid("first", manifest.first().toUuid())
        .setUuid("last", manifest.last().toUuid())
        .setLong("digest", manifest.digest())
        .set("minutes", Arrays.stream(manifest.columnsByMinute()).boxed().toList(), MINUTES)
        .set("marks", marks, MARKS);
  }

  private static Manifest decode(UdtValue value) {
    List<Integer> minutes = Objects.requireNonNull(value.get("minutes", MINUTES));
    Map<String, Long> marks = Objects.requireNonNull(value.get("marks", MARKS));
    return new Manifest(
        value.getLong("columns"),
        value.getLong("bytes"),
        name(value, "first"),
        name(value, "last"),
        value.getLong("digest"),
        minutes.stream().mapToInt(Integer::intValue).toArray(),
        marks.entrySet().stream()
            .map(mark -> new Mark(mark.getKey(), mark.getValue()))
            .sorted(Comparator.comparing(Mark::writer))
            .toList());
  }

  CompletionStage<Void> delete(Hour hour, int generation) {
    return Futures.allOf(
        IntStream.range(0, BUCKETS)
            .mapToObj(
                bucket -> cql.write(deleteBucket.bind(hour.epochHours(), generation, bucket))));
  }
}
