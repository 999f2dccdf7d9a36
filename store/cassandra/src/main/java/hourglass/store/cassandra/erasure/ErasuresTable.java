package hourglass.store.cassandra.erasure;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.TimeUuid;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.erasure.ErasureRecord.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code erasures}. Each change is a lightweight transaction, and gives the table another
 * version. Thread-safe.
 */
public final class ErasuresTable {
  private final Cql cql;
  private final ConsistencyLevel serial;
  private final int rememberSeconds;
  private final PreparedStatement selectHead;
  private final PreparedStatement selectAll;
  private final PreparedStatement begin;
  private final PreparedStatement advance;
  private final PreparedStatement finish;
  private final PreparedStatement fail;
  private final PreparedStatement take;
  private final PreparedStatement beat;
  private final PreparedStatement release;

  /** Prepares the statements. Blocks. */
  public ErasuresTable(Cql cql, ConsistencyLevel serial, Duration remember) {
    this.cql = cql;
    this.serial = serial;
    this.rememberSeconds = Math.toIntExact(remember.toSeconds());
    selectHead = cql.prepare("SELECT version, worker, beat FROM %s.erasures WHERE one = 0 LIMIT 1");
    selectAll =
        cql.prepare(
            "SELECT id, state, round, columns, parts, blanked, failure FROM %s.erasures"
                + " WHERE one = 0");
    String update = "UPDATE %s.erasures SET ";
    String row = " WHERE one = 0 AND id = ? ";
    begin =
        cql.prepare(
            update
                + "version = ?, state = ?, round = 0, columns = ?, parts = ?, blanked = ?"
                + row
                + "IF state = null");
    advance =
        cql.prepare(
            update + "version = ?, state = ?, round = ?" + row + "IF state = ? AND worker = ?");
    finish =
        cql.prepare(
            "BEGIN UNLOGGED BATCH UPDATE %1$s.erasures SET version = ? WHERE one = 0;"
                + " UPDATE %1$s.erasures USING TTL ? SET state = ?, round = ?, columns = ?,"
                + " parts = ?, blanked = ?, failure = null"
                + row
                + "IF state = ? AND worker = ?; APPLY BATCH");
    fail =
        cql.prepare(
            update + "version = ?, failure = ?" + row + "IF state IN (?, ?, ?) AND worker = ?");
    take = cql.prepare(update + "worker = ?, beat = ? WHERE one = 0 IF beat = ?");
    beat = cql.prepare(update + "beat = ? WHERE one = 0 IF worker = ?");
    release = cql.prepare(update + "worker = null, beat = null WHERE one = 0 IF worker = ?");
  }

  /**
   * The values of the whole table, each null at first.
   *
   * @param version differs after every change of an erasure
   * @param worker the process that removes bytes
   * @param beat differs every few seconds while the worker lives
   */
  record Head(@Nullable UUID version, @Nullable String worker, @Nullable UUID beat) {
    private static final Head NONE = new Head(null, null, null);
  }

  CompletionStage<Head> head() {
    return cql.read(selectHead.bind())
        .thenApply(
            result -> {
              Row row = result.one();
              return row == null
                  ? Head.NONE
                  : new Head(row.getUuid(0), row.getString(1), row.getUuid(2));
            });
  }

  /** Reads all erasures, the newest first. */
  public CompletionStage<List<ErasureRecord>> all() {
    List<ErasureRecord> all = new ArrayList<>();
    return cql.readAll(
            selectAll.bind(),
            row -> {
              UUID id = row.getUuid(0);
              String state = row.getString(1);
              if (id != null && state != null) { // else only the values of the whole table
                all.add(erasure(row, id, state));
              }
            })
        .thenApply(done -> List.copyOf(all));
  }

  private static ErasureRecord erasure(Row row, UUID id, String state) {
    return new ErasureRecord(
        TimeUuid.of(id),
        State.parse(state),
        row.getInt(2),
        row.getInt(3),
        row.getInt(4),
        Objects.requireNonNull(row.getList(5, String.class)),
        row.getString(6));
  }

  /** Inserts an erasure, whose names are stored already. It has begun when this completes. */
  public CompletionStage<Void> begin(ErasureRecord erasure) {
    return transact(
            begin.bind(
                UUID.randomUUID(),
                State.HIDDEN.text(),
                erasure.columns(),
                erasure.parts(),
                erasure.blanked(),
                erasure.id().toUuid()))
        .thenApply(begun -> null); // else it began before
  }

  /** Changes the state of an erasure. Fails if this worker is not the one any more. */
  public CompletionStage<Void> advance(ErasureRecord from, State to, int round, String worker) {
    return transact(
            advance.bind(
                UUID.randomUUID(),
                to.text(),
                round,
                from.id().toUuid(),
                from.state().text(),
                worker))
        .thenApply(applied -> require(applied, from));
  }

  /**
   * Ends an erasure, which is forgotten in a while. Its hashes must be stored already. The version
   * stays: a process could know a missing one from before the erasure began.
   */
  public CompletionStage<Void> finish(ErasureRecord from, int hashParts, String worker) {
    return transact(
            finish.bind(
                UUID.randomUUID(),
                rememberSeconds,
                State.DONE.text(),
                from.round(),
                from.columns(),
                hashParts,
                from.blanked(),
                from.id().toUuid(),
                from.state().text(),
                worker))
        .thenApply(applied -> require(applied, from));
  }

  private static @Nullable Void require(boolean applied, ErasureRecord erasure) {
    if (!applied) {
      throw new IllegalStateException(
          "erasure " + erasure.id() + ": another process goes on with it");
    }
    return null;
  }

  /** Notes why an attempt failed, if this worker is still the one. */
  public CompletionStage<Void> fail(TimeUuid id, String failure, String worker) {
    return transact(
            fail.bind(
                UUID.randomUUID(),
                failure,
                id.toUuid(),
                State.HIDDEN.text(),
                State.REWRITING.text(),
                State.DELETING.text(),
                worker))
        .thenApply(applied -> null);
  }

  /** Makes a process the worker unless the last one has shown life since; false if it did. */
  CompletionStage<Boolean> take(String worker, @Nullable UUID lastBeat) {
    return transact(take.bind(worker, UUID.randomUUID(), lastBeat));
  }

  CompletionStage<Boolean> beat(String worker) {
    return transact(beat.bind(UUID.randomUUID(), worker));
  }

  CompletionStage<Boolean> release(String worker) {
    return transact(release.bind(worker));
  }

  private CompletionStage<Boolean> transact(BoundStatement statement) {
    return cql.transact(statement.setSerialConsistencyLevel(serial))
        .thenApply(result -> result.wasApplied());
  }
}
