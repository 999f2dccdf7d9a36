package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of the keyspace, with their statements prepared on one session. Thread-safe. */
final class Tables {
  /** The server's own default. */
  private static final int BATCH_WARN_BYTES = 5 << 10;

  /** Our estimate of what the server counts is that safe. */
  private static final int BATCH_PERCENT = 80;

  private static final Pattern SIZE = Pattern.compile("(\\d+)\\s*(B|KiB|MiB)?");

  private final Cql cql;
  private final String keyspace;
  private final int batchBytes;
  private final HoursTable hours;
  private final DirectoryTable directory;

  /** By the name of the class; also of classes that only other processes have settings for. */
  private final Map<String, CompletionStage<EventsTable>> events = new ConcurrentHashMap<>();

  /** Prepares the statements that every process needs; blocks. */
  Tables(Cql cql, CassandraOptions options) {
    this.cql = cql;
    this.keyspace = options.keyspace();
    this.hours = new HoursTable(cql, keyspace);
    this.directory = new DirectoryTable(cql, keyspace);
    this.batchBytes =
        options.batchBytes() != null
            ? options.batchBytes()
            : warnBytes(cql.session()) * BATCH_PERCENT / 100;
    for (RetentionClass retentionClass : Schema.classes(options)) {
      events(retentionClass.name()).toCompletableFuture().join();
    }
  }

  /** What the server warns at, if it tells. */
  private static int warnBytes(CqlSession session) {
    Row setting =
        session
            .execute(
                "SELECT value FROM system_views.settings WHERE name = 'batch_size_warn_threshold'")
            .one();
    Matcher size = SIZE.matcher(setting == null ? "" : String.valueOf(setting.getString(0)));
    if (!size.matches()) {
      return BATCH_WARN_BYTES;
    }
    int shift = "MiB".equals(size.group(2)) ? 20 : "KiB".equals(size.group(2)) ? 10 : 0;
    return (int) Math.min(Integer.parseInt(size.group(1)) * (1L << shift), 1 << 20);
  }

  HoursTable hours() {
    return hours;
  }

  DirectoryTable directory() {
    return directory;
  }

  Cql cql() {
    return cql;
  }

  int batchBytes() {
    return batchBytes;
  }

  /** The table of a class; prepared when first asked for, and again if that failed. */
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
