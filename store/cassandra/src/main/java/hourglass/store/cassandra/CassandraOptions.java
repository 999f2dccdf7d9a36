package hourglass.store.cassandra;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the Cassandra engine. Immutable.
 *
 * @param contactPoints nodes to begin with, {@code host:port}; the others are learnt from them
 * @param datacenter the one to talk to; null: that of the contact points
 * @param keyspace of all tables
 * @param consistency of reads and writes; what is acknowledged is seen by all readers only if the
 *     two overlap, as quorums do
 * @param username to log in with; null: no login
 * @param password to log in with; null: no login
 * @param tls whether connections are encrypted, and the node's name is checked
 * @param trustStore certificates to trust, a PKCS 12 or JKS file; null: those of the JDK
 * @param trustStorePassword of that file
 * @param createSchema whether missing keyspace, types and tables are made
 * @param replication of a keyspace that is made: {@code 3}, or {@code dc1:3,dc2:3}; null: 3 in the
 *     datacenter, or as many as it has nodes
 * @param requestTimeout after that a request has failed
 * @param speculateAfter after that another node is asked as well
 * @param requestsMax how many writes, and how many reads, are under way at a time
 * @param writeBytesMax payloads of writes that were taken and are not acknowledged; beyond it
 *     writes are refused as overload
 * @param batchBytes of one batch, all of one row; what the server warns at is for batches of
 *     several
 * @param trustFor how long a process goes by what it read of an hour; dropping an hour takes as
 *     long
 * @param publishAge how long the counts of a row that is written all the time may be bounds only
 * @param sealAfter how long after the end of its hour, and after its last write, a row is sealed;
 *     the clocks of two processes must not differ by more
 * @param sealEvery how often rows to seal are looked for
 * @param settle how far a reader that follows the clock stays behind it; the clocks of two
 *     processes must not differ by more than a quarter of it
 * @param arrivalsKeep how long notes of late columns are kept
 * @param retentionDefault how long types that are not listed are kept; null: for ever
 * @param retentionByType how long, by type; {@link #KEEP}: for ever
 */
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
    Duration settle,
    Duration arrivalsKeep,
    @Nullable Duration retentionDefault,
    Map<String, Duration> retentionByType) {

  /**
   * The longest that events can be kept and go in the end. Cassandra itself takes a TTL of 20
   * years, but refuses one that ends after 2038-01-19 until all nodes store 5.0's own format.
   */
  public static final Duration RETENTION_MAX = Duration.ofDays(10 * 365);

  /** For ever, where null cannot stand: as long as there are hours, 2000 to 2099. */
  public static final Duration KEEP = Duration.ofDays(36_525);

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");

  public CassandraOptions {
    contactPoints = List.copyOf(contactPoints);
    require(!contactPoints.isEmpty(), "contactPoints: none");
    contactPoints.forEach(Contact::parse);
    require(
        NAME.matcher(keyspace).matches(),
        "keyspace: \"" + keyspace + "\", want a-z, then a-z, 0-9 or _, at most 48 characters");
    require((username == null) == (password == null), "username and password go together");
    Consistency.parse(consistency);
    if (replication != null) {
      Replication.parse(replication);
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
    requireAbove0("settle", settle);
    requireAbove0("arrivalsKeep", arrivalsKeep);
    retentionByType = Map.copyOf(retentionByType);
    retentionByType.forEach((type, keep) -> requireRetention("retention of " + type, keep));
    if (retentionDefault != null) {
      requireRetention("retentionDefault", retentionDefault);
    }
  }

  private static void requireRetention(String name, Duration keep) {
    require(
        keep.equals(KEEP)
            || (keep.compareTo(Duration.ofHours(1)) >= 0 && keep.compareTo(RETENTION_MAX) <= 0),
        name + ": " + keep + ", want 1 hour to 10 years: Cassandra's clocks of expiry end in 2038");
  }

  private static void requireAbove0(String name, Duration value) {
    require(!value.isNegative() && !value.isZero(), name + ": " + value + " <= 0");
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /** How long a type is kept; null or {@link #KEEP}: for ever. */
  public @Nullable Duration retention(String type) {
    return retentionByType.getOrDefault(type, retentionDefault);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "CassandraOptions[" + contactPoints + ", " + keyspace + ", " + consistency + "]";
  }

  /** States every default, once. */
  public static final class Builder {
    private List<String> contactPoints = List.of("127.0.0.1:9042");
    private @Nullable String datacenter;
    private String keyspace = "hourglass";
    private String consistency = "LOCAL_QUORUM";
    private @Nullable String username;
    private @Nullable String password;
    private boolean tls;
    private @Nullable String trustStore;
    private @Nullable String trustStorePassword;
    private boolean createSchema = true;
    private @Nullable String replication;
    private Duration requestTimeout = Duration.ofSeconds(5);
    private Duration speculateAfter = Duration.ofMillis(500);
    private int requestsMax = 256;
    private long writeBytesMax = 64L << 20;
    private int batchBytes = 64 << 10;
    private Duration trustFor = Duration.ofSeconds(5);
    private Duration publishAge = Duration.ofSeconds(5);
    private Duration sealAfter = Duration.ofMinutes(10);
    private Duration sealEvery = Duration.ofMinutes(1);
    private Duration settle = Duration.ofSeconds(2);

    /** Whoever was away for a night goes on where he was. */
    private Duration arrivalsKeep = Duration.ofHours(24);

    private @Nullable Duration retentionDefault;
    private Map<String, Duration> retentionByType = Map.of();

    private Builder() {}

    public Builder contactPoints(List<String> value) {
      contactPoints = value;
      return this;
    }

    public Builder datacenter(@Nullable String value) {
      datacenter = value;
      return this;
    }

    public Builder keyspace(String value) {
      keyspace = value;
      return this;
    }

    public Builder consistency(String value) {
      consistency = value;
      return this;
    }

    public Builder credentials(@Nullable String name, @Nullable String secret) {
      username = name;
      password = secret;
      return this;
    }

    public Builder tls(boolean value) {
      tls = value;
      return this;
    }

    public Builder trustStore(@Nullable String file, @Nullable String secret) {
      trustStore = file;
      trustStorePassword = secret;
      return this;
    }

    public Builder createSchema(boolean value) {
      createSchema = value;
      return this;
    }

    public Builder replication(@Nullable String value) {
      replication = value;
      return this;
    }

    public Builder requestTimeout(Duration value) {
      requestTimeout = value;
      return this;
    }

    public Builder speculateAfter(Duration value) {
      speculateAfter = value;
      return this;
    }

    public Builder requestsMax(int value) {
      requestsMax = value;
      return this;
    }

    public Builder writeBytesMax(long value) {
      writeBytesMax = value;
      return this;
    }

    public Builder batchBytes(int value) {
      batchBytes = value;
      return this;
    }

    public Builder trustFor(Duration value) {
      trustFor = value;
      return this;
    }

    public Builder publishAge(Duration value) {
      publishAge = value;
      return this;
    }

    public Builder sealAfter(Duration value) {
      sealAfter = value;
      return this;
    }

    public Builder settle(Duration value) {
      settle = value;
      return this;
    }

    public Builder arrivalsKeep(Duration value) {
      arrivalsKeep = value;
      return this;
    }

    public Builder sealEvery(Duration value) {
      sealEvery = value;
      return this;
    }

    public Builder retentionDefault(@Nullable Duration value) {
      retentionDefault = value;
      return this;
    }

    public Builder retentionByType(Map<String, Duration> value) {
      retentionByType = value;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException naming the option, its value and what is allowed
     */
    public CassandraOptions build() {
      return new CassandraOptions(
          contactPoints,
          datacenter,
          keyspace,
          consistency,
          username,
          password,
          tls,
          trustStore,
          trustStorePassword,
          createSchema,
          replication,
          requestTimeout,
          speculateAfter,
          requestsMax,
          writeBytesMax,
          batchBytes,
          trustFor,
          publishAge,
          sealAfter,
          sealEvery,
          settle,
          arrivalsKeep,
          retentionDefault,
          retentionByType);
    }
  }
}
