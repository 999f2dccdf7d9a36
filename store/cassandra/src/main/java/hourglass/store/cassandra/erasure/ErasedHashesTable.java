package hourglass.store.cassandra.erasure;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.erasure.NameHashes;
import hourglass.store.erasure.RememberedColumns;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The table {@code erased_hashes}: what is remembered of erasures that are done. Thread-safe. */
public final class ErasedHashesTable {
  /** The hashes of a record, 32 KiB. */
  private static final int HASHES_MAX = 4_096;

  /** The records of a page of results, 2 MiB. */
  private static final int PAGE_RECORDS = 64;

  /** Hashes outlive their erasure, so that a process that knows it finds them. */
  private static final Duration LONGER = Duration.ofDays(1);

  private final Cql cql;
  private final int seconds;
  private final PreparedStatement insert;
  private final PreparedStatement select;

  /** Prepares the statements. Blocks. */
  public ErasedHashesTable(Cql cql, Duration remember) {
    this.cql = cql;
    seconds = Math.toIntExact(remember.plus(LONGER).toSeconds());
    insert =
        cql.prepare(
            "INSERT INTO %s.erased_hashes (erasure, part, hour, type, hashes)"
                + " VALUES (?, ?, ?, ?, ?) USING TTL ?");
    select = cql.prepare("SELECT hour, type, hashes FROM %s.erased_hashes WHERE erasure = ?");
  }

  /** Stores hashes. Completes with the number of records. */
  public CompletionStage<Integer> put(TimeUuid erasure, RememberedColumns remembered) {
    List<CompletionStage<Void>> parts = new ArrayList<>();
    remembered.names().forEach((typeHour, hashes) -> put(erasure, typeHour, hashes, parts));
    put(erasure, null, remembered.identities(), parts);
    return Futures.allOf(parts.stream()).thenApply(done -> parts.size());
  }

  private void put(
      TimeUuid erasure,
      @Nullable TypeHour typeHour,
      NameHashes hashes,
      List<CompletionStage<Void>> parts) {
    for (int from = 0; from < hashes.size(); from += HASHES_MAX) {
      int size = Math.min(hashes.size() - from, HASHES_MAX);
      ByteBuffer bytes = ByteBuffer.allocate(size * Long.BYTES);
      bytes.asLongBuffer().put(hashes.sorted(), from, size);
      parts.add(
          cql.write(
              insert.bind(
                  erasure.toUuid(),
                  parts.size(),
                  typeHour == null ? null : typeHour.hour().epochHours(),
                  typeHour == null ? null : typeHour.type(),
                  bytes,
                  seconds)));
    }
  }

  /** Reads the hashes of an erasure. */
  CompletionStage<RememberedColumns> read(TimeUuid erasure) {
    Map<TypeHour, List<NameHashes>> names = new HashMap<>();
    List<NameHashes> identities = new ArrayList<>();
    return cql.readAll(
            select.bind(erasure.toUuid()).setPageSize(PAGE_RECORDS),
            part ->
                (part.isNull(0)
                        ? identities
                        : names.computeIfAbsent(typeHour(part), any -> new ArrayList<>()))
                    .add(hashes(Objects.requireNonNull(part.getByteBuffer(2)))))
        .thenApply(
            done -> {
              Map<TypeHour, NameHashes> joined = new HashMap<>();
              names.forEach((typeHour, some) -> joined.put(typeHour, NameHashes.union(some)));
              return new RememberedColumns(joined, NameHashes.union(identities));
            });
  }

  private static TypeHour typeHour(Row part) {
    return new TypeHour(new Hour(part.getInt(0)), Objects.requireNonNull(part.getString(1)));
  }

  private static NameHashes hashes(ByteBuffer bytes) {
    long[] sorted = new long[bytes.remaining() / Long.BYTES];
    bytes.asLongBuffer().get(sorted);
    return new NameHashes(sorted);
  }
}
