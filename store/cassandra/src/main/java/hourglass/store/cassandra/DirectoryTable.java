package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Manifest;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.ManifestType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The table {@code directory}: the rows of an hour, with one record per writer. */
final class DirectoryTable {
  /** Partitions per hour, see directory.cql. A different number would hide stored rows. */
  static final int BUCKETS = 8;

  private static final String SEALER = "";
  private static final String PARTITION = "hour = ? AND generation = ? AND bucket = ?";

  private final Cql cql;
  private final ManifestType manifests;
  private final PreparedStatement insertWriter;
  private final PreparedStatement insertManifest;
  private final PreparedStatement selectBucket;
  private final PreparedStatement selectRow;
  private final PreparedStatement deleteBucket;

  DirectoryTable(Cql cql, String keyspace) {
    this.cql = cql;
    String table = keyspace + ".directory";
    insertWriter =
        prepare(
            "INSERT INTO "
                + table
                + " (hour, generation, bucket, row, writer, class, mark, columns, bytes, first,"
                + " last, longest, open, written)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) USING TTL ?");
    insertManifest =
        prepare(
            "INSERT INTO "
                + table
                + " (hour, generation, bucket, row, writer, manifest)"
                + " VALUES (?, ?, ?, ?, ?, ?) USING TIMESTAMP ? AND TTL ?");
    String select =
        "SELECT row, writer, class, mark, columns, bytes, first, last, longest, open, written,"
            + " manifest, WRITETIME(manifest) AS sealed FROM "
            + table
            + " WHERE "
            + PARTITION;
    selectBucket = prepare(select);
    selectRow = prepare(select + " AND row = ?");
    deleteBucket = prepare("DELETE FROM " + table + " WHERE " + PARTITION);
    manifests = new ManifestType(insertManifest);
  }

  private PreparedStatement prepare(String statement) {
    return cql.session().prepare(statement);
  }

  /** The partition that holds a row's records. */
  static int bucket(RowKey row) {
    return (row.toString().hashCode() * 0x9E3779B9) >>> 29;
  }

  CompletionStage<Void> put(
      RowKey row, int generation, WriterRecord record, RetentionClass retentionClass) {
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
    // One timestamp for all attempts: a delayed retry must not override this writer's next record.
    long micros = cql.session().getContext().getTimestampGenerator().next();
    return cql.write(Expiry.of(retentionClass, row.hour(), put.setQueryTimestamp(micros)));
  }

  /**
   * @param micros write timestamp, greater than that of the previous manifest
   */
  CompletionStage<Void> seal(
      RowKey row, int generation, Manifest manifest, long micros, RetentionClass longestKept) {
    BoundStatement put =
        insertManifest.bind(
            row.hour().epochHours(),
            generation,
            bucket(row),
            row.toString(),
            SEALER,
            manifests.encode(manifest),
            micros,
            longestKept.seconds());
    return cql.write(Expiry.of(longestKept, row.hour(), put));
  }

  /** All rows of an hour, sorted by key. */
  CompletionStage<List<DirectoryRow>> rows(Hour hour, int generation) {
    List<CompletableFuture<List<DirectoryRow>>> buckets = new ArrayList<>(BUCKETS);
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      BoundStatement select = selectBucket.bind(hour.epochHours(), generation, bucket);
      buckets.add(read(select).toCompletableFuture());
    }
    return CompletableFuture.allOf(buckets.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            done -> {
              List<DirectoryRow> rows = new ArrayList<>();
              buckets.forEach(bucket -> rows.addAll(bucket.join()));
              rows.sort(java.util.Comparator.comparing(DirectoryRow::row));
              return rows;
            });
  }

  /** One row; without writers if there is none. */
  CompletionStage<DirectoryRow> row(RowKey row, int generation) {
    BoundStatement select =
        selectRow.bind(row.hour().epochHours(), generation, bucket(row), row.toString());
    return read(select).thenApply(rows -> rows.isEmpty() ? new DirectoryRow(row) : rows.get(0));
  }

  private CompletionStage<List<DirectoryRow>> read(BoundStatement select) {
    Map<String, DirectoryRow> rows = new TreeMap<>();
    return cql.readAll(select, record -> take(record, rows))
        .thenApply(done -> List.copyOf(rows.values()));
  }

  private void take(Row record, Map<String, DirectoryRow> rows) {
    DirectoryRow row =
        rows.computeIfAbsent(
            Objects.requireNonNull(record.getString("row")),
            key -> new DirectoryRow(RowKey.parse(key)));
    String writer = Objects.requireNonNull(record.getString("writer"));
    if (!writer.equals(SEALER)) {
      row.add(
          new WriterRecord(
              writer,
              Objects.requireNonNull(record.getString("class")),
              record.getLong("mark"),
              record.getLong("columns"),
              record.getLong("bytes"),
              name(record.getUuid("first")),
              name(record.getUuid("last")),
              record.getInt("longest"),
              record.getBoolean("open"),
              Objects.requireNonNull(record.getInstant("written")).toEpochMilli()));
    } else if (!record.isNull("manifest")) {
      row.seal(
          manifests.decode(Objects.requireNonNull(record.getUdtValue("manifest"))),
          record.getLong("sealed"));
    }
  }

  private static TimeUuid name(@org.jspecify.annotations.Nullable UUID uuid) {
    return TimeUuid.of(Objects.requireNonNull(uuid));
  }

  /** Deletes the directory of one generation of an hour. */
  CompletionStage<Void> delete(Hour hour, int generation) {
    List<CompletableFuture<Void>> deletes = new ArrayList<>(BUCKETS);
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      BoundStatement delete = deleteBucket.bind(hour.epochHours(), generation, bucket);
      deletes.add(cql.write(delete).toCompletableFuture());
    }
    return CompletableFuture.allOf(deletes.toArray(new CompletableFuture<?>[0]));
  }
}
