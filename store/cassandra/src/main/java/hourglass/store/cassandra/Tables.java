package hourglass.store.cassandra;

import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.late.LateArrivalsTable;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** The tables of the keyspace, with their statements prepared on one session. Thread-safe. */
final class Tables {
  private final Cql cql;
  private final String keyspace;
  private final int batchBytes;
  private final HoursTable hours;
  private final DirectoryTable directory;
  private final ClaimsTable claims;
  private final ClaimTables ofClaims;
  private final LateArrivalsTable arrivals;

  /** By class name; includes classes that only other processes have in their settings. */
  private final Map<String, CompletionStage<EventsTable>> events = new ConcurrentHashMap<>();

  /**
   * Prepares the statements that every process needs; blocks.
   *
   * @param ofClaims tables for publishing claims; {@link #claims} only reads them
   */
  Tables(Cql cql, ClaimTables ofClaims, CassandraOptions options) {
    this.cql = cql;
    this.keyspace = options.keyspace();
    this.hours = new HoursTable(cql, keyspace);
    this.directory = new DirectoryTable(cql, keyspace);
    this.claims = new ClaimsTable(cql, keyspace);
    this.ofClaims = ofClaims;
    this.arrivals = new LateArrivalsTable(cql, keyspace, options.arrivalsKeep());
    this.batchBytes = options.batchBytes();
    for (RetentionClass retentionClass : Schema.classes(options)) {
      events(retentionClass.name()).toCompletableFuture().join();
    }
  }

  HoursTable hours() {
    return hours;
  }

  DirectoryTable directory() {
    return directory;
  }

  ClaimsTable claims() {
    return claims;
  }

  ClaimTables ofClaims() {
    return ofClaims;
  }

  LateArrivalsTable lateArrivals() {
    return arrivals;
  }

  Cql cql() {
    return cql;
  }

  /** The table of a class, prepared on first use; a failed preparation is repeated. */
  CompletionStage<EventsTable> events(String retentionClass) {
    CompletionStage<EventsTable> table =
        events.computeIfAbsent(
            retentionClass,
            name -> EventsTable.prepare(cql, keyspace, RetentionClass.parse(name), batchBytes));
    return table.whenComplete(
        (prepared, failure) -> {
          if (failure != null) {
            events.remove(retentionClass, table);
          }
        });
  }
}
