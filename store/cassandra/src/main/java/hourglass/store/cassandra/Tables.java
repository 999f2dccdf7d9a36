package hourglass.store.cassandra;

import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.erasure.ErasureTables;
import hourglass.store.cassandra.late.LateArrivalsTable;
import hourglass.store.cassandra.rows.HeadCache;
import hourglass.store.cassandra.rows.PacksTable;
import hourglass.store.cassandra.rows.RetentionClass;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tables of the keyspace, with their statements prepared on one session. Thread-safe.
 *
 * @param claims only reads claims; {@code claimLane} publishes them
 * @param prepared the tables of packs by class name, including classes that only other processes
 *     have
 */
record Tables(
    Cql cql,
    HoursTable hours,
    DirectoryTable directory,
    ClaimsTable claims,
    Claims.Lane claimLane,
    LateArrivalsTable lateArrivals,
    FirstTimesTable firstTimes,
    ErasureTables erasures,
    int batchBytes,
    HeadCache pageHeads,
    Map<String, CompletionStage<PacksTable>> prepared) {

  /** Prepares the statements. Blocks. */
  static Tables prepare(
      Cql cql,
      Claims.Lane claimLane,
      FirstTimesTable firstTimes,
      ErasureTables erasures,
      CassandraOptions options) {
    Tables tables =
        new Tables(
            cql,
            new HoursTable(cql),
            new DirectoryTable(cql),
            new ClaimsTable(cql),
            claimLane,
            new LateArrivalsTable(cql, options.retention().lateArrivals()),
            firstTimes,
            erasures,
            options.batchBytes(),
            new HeadCache(),
            new ConcurrentHashMap<>());
    for (RetentionClass retentionClass : Schema.classes(options)) {
      tables.packs(retentionClass).toCompletableFuture().join();
    }
    return tables;
  }

  /** Returns the table of a class. It is prepared on first use, and again if that failed. */
  CompletionStage<PacksTable> packs(String retentionClass) {
    CompletionStage<PacksTable> table =
        prepared.computeIfAbsent(
            retentionClass,
            name -> PacksTable.prepare(cql, RetentionClass.parse(name), batchBytes, pageHeads));
    return table.whenComplete(
        (done, failure) -> {
          if (failure != null) {
            prepared.remove(retentionClass, table);
          }
        });
  }

  CompletionStage<PacksTable> packs(RetentionClass retentionClass) {
    return packs(retentionClass.name());
  }
}
