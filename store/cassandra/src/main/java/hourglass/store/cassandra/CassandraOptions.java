package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import hourglass.store.Retention;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the Cassandra engine. Immutable.
 *
 * @param contactPoints {@code host:port}; the driver discovers other nodes
 * @param datacenter if null, that of the contact points
 * @param consistency the level of reads and writes; readers see every acknowledged column only if
 *     both overlap, as quorums do
 * @param username null for no login
 * @param tls also verifies host names
 * @param trustStore a PKCS 12 or JKS file; if null, the certificates of the JDK
 * @param replication the replication of a keyspace that is created: {@code 3}, or {@code
 *     dc1:3,dc2:3}; if null, 3 in the datacenter, or its number of nodes if that is smaller
 * @param speculateAfter the delay before a request is also sent to another node
 * @param requestsMax the limit of concurrent writes, and separately of concurrent reads
 * @param writeBytesMax the limit of payload bytes in unacknowledged writes; beyond it, writes fail
 *     as overload
 * @param batchBytes the limit of a batch, whose columns are all of one row; the server's warning
 *     threshold is for batches of several partitions
 * @param trustFor how long a process may use a cached state of an hour; a drop waits for twice this
 *     time
 * @param publishAge how long the directory may contain only bounds of a busy row
 * @param sealAfter the time from the end of the hour, or from the last write, until a row is
 *     sealed; the clocks of two processes must not differ by more than half of it
 * @param replaceGrace the time from a seal until the data that its pages replace is deleted; longer
 *     than any query, and at least twice {@code trustFor}
 * @param sealEvery the pause between searches for rows to seal
 * @param settle the delay after which the order of events is final; the clocks of two processes
 *     must not differ by more than a quarter of it
 * @param untimedWindow how long the first times of events without a time are kept
 * @param eraseAfter the time from the moment that an erasure is visible to all processes until its
 *     bytes are removed; longer than a request that was sent before takes. A process that removes
 *     them and shows no life for three times as long is replaced
 * @param remember how long repeats of erased events are recognised
 * @param retention at most {@link #RETENTION_MAX}, or {@link Retention#FOREVER}
 */
@RecordBuilder
public record CassandraOptions(
    List<String> contactPoints,
    @Nullable String datacenter,
    String keyspace,
    String consistency,
    @Nullable String username,
    @Nullable String password,
    boolean tls,
    @Nullable String trustStore,
    @Nullable String trustStorePassword,
    boolean createSchema,
    @Nullable String replication,
    Duration requestTimeout,
    Duration speculateAfter,
    int requestsMax,
    long writeBytesMax,
    int batchBytes,
    Duration trustFor,
    Duration publishAge,
    Duration sealAfter,
    Duration sealEvery,
    Duration replaceGrace,
    Duration settle,
    Duration untimedWindow,
    Duration eraseAfter,
    Duration remember,
    Retention retention) {

  /**
   * The longest retention besides {@link Retention#FOREVER}. Cassandra accepts a TTL of 20 years,
   * but refuses one that ends after 2038-01-19 until all nodes use the storage format of 5.0.
   */
  public static final Duration RETENTION_MAX = Duration.ofDays(10 * 365);

  /**
   * The longest settle delay that tails allow. Their reader of late arrivals reads six slots of ten
   * seconds at a time, from before its clock to after it.
   */
  public static final Duration SETTLE_MAX = Duration.ofSeconds(20);

  /** Longer than clients and queues repeat a write for, but for few. */
  private static final Duration PACK_PERIOD_MAX = Duration.ofHours(12);

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");

  public static final CassandraOptions DEFAULTS =
      CassandraOptionsBuilder.builder()
          .contactPoints(List.of("127.0.0.1:9042"))
          .keyspace("hourglass")
          .consistency("LOCAL_QUORUM")
          .createSchema(true)
          .requestTimeout(Duration.ofSeconds(5))
          .speculateAfter(Duration.ofMillis(500))
          .requestsMax(256)
          .writeBytesMax(64L << 20)
          .batchBytes(64 << 10)
          .trustFor(Duration.ofSeconds(5))
          .publishAge(Duration.ofSeconds(5))
          .sealAfter(Duration.ofMinutes(10))
          .sealEvery(Duration.ofMinutes(1))
          .replaceGrace(Duration.ofHours(1))
          .settle(Duration.ofSeconds(2))
          .untimedWindow(Duration.ofHours(1))
          .eraseAfter(Duration.ofSeconds(10))
          .remember(Duration.ofDays(30))
          .retention(Retention.DEFAULTS)
          .build();

  public CassandraOptions {
    contactPoints = List.copyOf(contactPoints);
    require(!contactPoints.isEmpty(), "contactPoints: none");
    contactPoints.forEach(OptionTexts::contactPoint);
    require(
        NAME.matcher(keyspace).matches(),
        "keyspace: \"" + keyspace + "\", want a-z, then a-z, 0-9 or _, at most 48 characters");
    require(
        (username == null) == (password == null),
        "username: \""
            + username
            + "\", want it together with store.cassandra.password, or neither");
    OptionTexts.requireConsistency(consistency);
    if (replication != null) {
      OptionTexts.replication(replication);
    }
    requireAbove0("requestTimeout", requestTimeout);
    requireAbove0("speculateAfter", speculateAfter);
    require(requestsMax >= 1, "requestsMax: " + requestsMax + " < 1");
    require(writeBytesMax >= 1 << 20, "writeBytesMax: " + writeBytesMax + ", want at least 1 MiB");
    require(
        batchBytes >= 1 && batchBytes <= 1 << 20,
        "batchBytes: " + batchBytes + ", want 1 to 1 MiB");
    requireAbove0("trustFor", trustFor);
    requireAbove0("publishAge", publishAge);
    require(!sealAfter.isNegative(), "sealAfter: " + sealAfter + " < 0");
    requireAbove0("sealEvery", sealEvery);
    require(
        replaceGrace.compareTo(trustFor.multipliedBy(2)) >= 0,
        "replaceGrace: " + replaceGrace + ", want at least twice trustFor, " + trustFor);
    requireAbove0("settle", settle);
    require(
        untimedWindow.toSeconds() >= 1 && untimedWindow.compareTo(RETENTION_MAX) <= 0,
        "untimedWindow: " + untimedWindow + ", want 1 s to 10 years");
    requireAbove0("eraseAfter", eraseAfter);
    require(
        remember.toSeconds() >= 1 && remember.compareTo(RETENTION_MAX) <= 0,
        "remember: " + remember + ", want 1 s to 10 years");
    requireRetention("retention", retention.byDefault());
    retention.byType().forEach((type, keep) -> requireRetention("retention of " + type, keep));
  }

  private static void requireRetention(String name, Duration keep) {
    require(
        keep.equals(Retention.FOREVER) || keep.compareTo(RETENTION_MAX) <= 0,
        name + ": " + keep + ", want at most 10 years: Cassandra's clocks of expiry end in 2038");
  }

  private static void requireAbove0(String name, Duration value) {
    require(!value.isNegative() && !value.isZero(), name + ": " + value + " <= 0");
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /**
   * Returns the time in which the same columns are stored under the same key. The tombstone of an
   * erased pack hides that key, so it must be over before {@code remember} ends, whatever clocks
   * differ by.
   */
  Duration packPeriod() {
    Duration half = remember.dividedBy(2);
    return half.compareTo(PACK_PERIOD_MAX) < 0 ? half : PACK_PERIOD_MAX;
  }

  /** Returns the level of lightweight transactions. */
  DefaultConsistencyLevel serialConsistency() {
    return consistency.startsWith("LOCAL_")
        ? DefaultConsistencyLevel.LOCAL_SERIAL
        : DefaultConsistencyLevel.SERIAL;
  }

  public static CassandraOptionsBuilder builder() {
    return CassandraOptionsBuilder.builder(DEFAULTS);
  }

  @Override
  public String toString() {
    return "CassandraOptions[" + contactPoints + ", " + keyspace + ", " + consistency + "]";
  }
}
