package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** The table {@code claims}: bounds on the columns that writers may put into rows. */
final class ClaimsTable {
  /**
   * The TTL of claims without a writer: a day less than the table's default TTL (directory.cql). So
   * columns of expiring claims are registered again in time.
   */
  private static final int UNCLAIMED_SECONDS = (int) Duration.ofDays(29).toSeconds();

  private final Cql cql;
  private final PreparedStatement insert;
  private final PreparedStatement select;

  ClaimsTable(Cql cql) {
    this.cql = cql;
    insert =
        cql.prepare(
            "INSERT INTO %s.claims (hour, generation, type, shard, writer, sole, columns, bytes)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) USING TTL ?");
    select =
        cql.prepare(
            "SELECT shard, writer, sole, columns, bytes FROM %s.claims"
                + " WHERE hour = ? AND generation = ? AND type = ?");
  }

  long nowMicros() {
    return cql.nextMicros();
  }

  /** Stores claims. Those with a writer get the table's default TTL. */
  CompletionStage<Void> put(
      TypeHour typeHour, int generation, List<ShardClaim> claims, long micros) {
    return Futures.allOf(
        claims.stream()
            .map(
                claim -> {
                  var put =
                      insert
                          .bind(
                              typeHour.hour().epochHours(),
                              generation,
                              typeHour.type(),
                              claim.shard(),
                              claim.writer(),
                              claim.sole(),
                              claim.columns(),
                              claim.bytes())
                          .setQueryTimestamp(micros);
                  return cql.write(
                      claim.writer().equals(ShardClaim.NO_WRITER)
                          ? put.setInt("[ttl]", UNCLAIMED_SECONDS)
                          : put);
                }));
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
