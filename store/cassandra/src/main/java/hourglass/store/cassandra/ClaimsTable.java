package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.Hour;
import hourglass.bucketing.planner.ShardClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The table {@code claims}: what writers may put into the rows of an hour and type. */
final class ClaimsTable {
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
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    select =
        cql.session()
            .prepare(
                "SELECT shard, writer, sole, columns, bytes FROM "
                    + table
                    + " WHERE hour = ? AND generation = ? AND type = ?");
  }

  CompletionStage<Void> put(Hour hour, int generation, String type, List<ShardClaim> claims) {
    // Once for all times that it is sent: a second sending that comes late must not beat the next.
    long micros = cql.session().getContext().getTimestampGenerator().next();
    List<CompletableFuture<Void>> puts = new ArrayList<>(claims.size());
    for (ShardClaim claim : claims) {
      BoundStatement put =
          insert.bind(
              hour.epochHours(),
              generation,
              type,
              claim.shard(),
              claim.writer(),
              claim.sole(),
              claim.columns(),
              claim.bytes());
      puts.add(cql.write(put.setQueryTimestamp(micros)).toCompletableFuture());
    }
    return CompletableFuture.allOf(puts.toArray(new CompletableFuture<?>[0]));
  }

  CompletionStage<List<ShardClaim>> all(Hour hour, int generation, String type) {
    List<ShardClaim> claims = new ArrayList<>();
    return cql.readAll(
            select.bind(hour.epochHours(), generation, type), row -> claims.add(claim(row)))
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
