package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.cassandra.driver.Cql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The table {@code claims}: bounds on the columns that writers may put into the rows of a type
 * hour.
 */
final class ClaimsTable {
  /**
   * Claims without a writer expire a day before the table's default TTL (directory.cql). Columns of
   * expiring claims are thus registered again in time.
   */
  private static final int UNCLAIMED_SECONDS = (int) Duration.ofDays(29).toSeconds();

  private final Cql cql;
  private final PreparedStatement insert;
  private final PreparedStatement select;

  ClaimsTable(Cql cql, String keyspace) {
    this.cql = cql;
    String table = keyspace + ".claims";
    insert =
        cql.session()
            .prepare(
                "INSERT INTO "
                    + table
                    + " (hour, generation, type, shard, writer, sole, columns, bytes)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) USING TTL ?");
    select =
        cql.session()
            .prepare(
                "SELECT shard, writer, sole, columns, bytes FROM "
                    + table
                    + " WHERE hour = ? AND generation = ? AND type = ?");
  }

  /** A write timestamp for the current moment, microseconds since 1970. */
  long nowMicros() {
    return cql.session().getContext().getTimestampGenerator().next();
  }

  /** Writes claims with the table's default TTL. */
  CompletionStage<Void> put(
      TypeHour typeHour, int generation, List<ShardClaim> claims, long micros) {
    return putAll(claims, claim -> bound(typeHour, generation, claim), micros);
  }

  /** Writes claims without a writer. */
  CompletionStage<Void> putUnclaimed(
      TypeHour typeHour, int generation, List<ShardClaim> claims, long micros) {
    return putAll(
        claims,
        claim -> bound(typeHour, generation, claim).setInt("[ttl]", UNCLAIMED_SECONDS),
        micros);
  }

  private BoundStatement bound(TypeHour typeHour, int generation, ShardClaim claim) {
    return insert.bind(
        typeHour.hour().epochHours(),
        generation,
        typeHour.type(),
        claim.shard(),
        claim.writer(),
        claim.sole(),
        claim.columns(),
        claim.bytes());
  }

  private CompletionStage<Void> putAll(
      List<ShardClaim> claims, Function<ShardClaim, BoundStatement> put, long micros) {
    CompletableFuture<?>[] puts =
        claims.stream()
            .map(claim -> cql.write(put.apply(claim).setQueryTimestamp(micros)))
            .map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(puts);
  }

  CompletionStage<List<ShardClaim>> all(TypeHour typeHour, int generation) {
    List<ShardClaim> claims = new ArrayList<>();
    return cql.readAll(
            select.bind(typeHour.hour().epochHours(), generation, typeHour.type()),
            row -> claims.add(claim(row)))
        .thenApply(done -> List.copyOf(claims));
  }

  private static ShardClaim claim(Row row) {
    return new ShardClaim(
        row.getInt("shard"),
        Objects.requireNonNull(row.getString("writer")),
        row.getBoolean("sole"),
        row.getLong("columns"),
        row.getLong("bytes"));
  }
}
