package hourglass.config;

import hourglass.store.Retention;
import hourglass.store.cassandra.CassandraOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of {@link CassandraOptions}, as far as an operator has reasons to change them. */
final class CassandraSettings {
  private static final CassandraOptions DEFAULT = CassandraOptions.DEFAULTS;

  /** The engine decides. */
  private static final String AUTO = "";

  private static final Setting<List<String>> CONTACT_POINTS =
      new Setting<>(
          "store.cassandra.contact-points",
          Kinds.texts("a list of one or more nodes, as in [\"10.0.0.1:9042\"]"),
          DEFAULT.contactPoints(),
          "Nodes to begin with; the others are learnt from them.");
  private static final Setting<String> DATACENTER =
      new Setting<>(
          "store.cassandra.datacenter",
          Kinds.or("auto", AUTO, Kinds.text("a name")),
          AUTO,
          "The datacenter to talk to; auto: that of the contact points.");
  private static final Setting<String> KEYSPACE =
      new Setting<>(
          "store.cassandra.keyspace",
          Kinds.text("a name"),
          DEFAULT.keyspace(),
          "The keyspace of all tables.");
  private static final Setting<Boolean> CREATE_SCHEMA =
      new Setting<>(
          "store.cassandra.create-schema",
          Kinds.truth(),
          DEFAULT.createSchema(),
          "Whether a keyspace, types and tables that are missing are made. Those that are there are"
              + " checked in any case.");
  private static final Setting<String> REPLICATION =
      new Setting<>(
          "store.cassandra.replication",
          Kinds.or("auto", AUTO, Kinds.text("a number of nodes, or dc1:3,dc2:3")),
          AUTO,
          "How many nodes keep each row, for a keyspace that is made; auto: 3, or as many as the"
              + " datacenter has.");
  private static final Setting<String> CONSISTENCY =
      new Setting<>(
          "store.cassandra.consistency",
          Kinds.text("a level such as LOCAL_QUORUM"),
          DEFAULT.consistency(),
          "Of reads and writes. Below a quorum, what was acknowledged may be missing from answers.");
  private static final Setting<String> USERNAME =
      new Setting<>(
          "store.cassandra.username",
          Kinds.optionalText("a name; empty: no login"),
          orEmpty(DEFAULT.username()),
          "The user name for the cluster.");
  private static final Setting<String> PASSWORD =
      new Setting<>(
          "store.cassandra.password",
          Kinds.secret(),
          orEmpty(DEFAULT.password()),
          "The password of that name. Never printed; the environment hides it from other users'"
              + " lists of processes.");
  private static final Setting<Boolean> TLS =
      new Setting<>(
          "store.cassandra.tls",
          Kinds.truth(),
          DEFAULT.tls(),
          "Whether connections to the cluster are encrypted, and the names of its nodes checked.");
  private static final Setting<String> TRUST_STORE =
      new Setting<>(
          "store.cassandra.trust-store",
          Kinds.optionalText("a file in PKCS #12 or JKS; empty: none"),
          orEmpty(DEFAULT.trustStore()),
          "The certificates to trust; without it those that the JDK trusts.");
  private static final Setting<String> TRUST_STORE_PASSWORD =
      new Setting<>(
          "store.cassandra.trust-store-password",
          Kinds.secret(),
          orEmpty(DEFAULT.trustStorePassword()),
          "The password of that file. Never printed.");
  private static final Setting<Duration> REQUEST_TIMEOUT =
      new Setting<>(
          "store.cassandra.request-timeout",
          Kinds.duration(Duration.ofMillis(100), Duration.ofMinutes(5)),
          DEFAULT.requestTimeout(),
          "After that a request to the cluster, all its repetitions included, has failed.");
  private static final Setting<Duration> SPECULATE_AFTER =
      new Setting<>(
          "store.cassandra.speculate-after",
          Kinds.duration(Duration.ofMillis(1), Duration.ofMinutes(5)),
          DEFAULT.speculateAfter(),
          "After that another node is asked as well.");
  private static final Setting<Integer> REQUESTS_MAX =
      new Setting<>(
          "store.cassandra.requests-max",
          Kinds.count(1, 100_000, ""),
          DEFAULT.requestsMax(),
          "Writes under way at a time, and reads as many; more wait.");
  private static final Setting<Long> WRITE_BYTES_MAX =
      new Setting<>(
          "store.cassandra.write-bytes-max",
          Kinds.bytes(1 << 20, 1L << 40),
          DEFAULT.writeBytesMax(),
          "Payloads that the cluster has not acknowledged yet; beyond it writes are refused with"
              + " 429.");
  private static final Setting<Long> BATCH_BYTES =
      new Setting<>(
          "store.cassandra.batch-bytes",
          Kinds.bytes(1, 1 << 20),
          (long) DEFAULT.batchBytes(),
          "Payloads of one batch of inserts, all of one row.");
  private static final Setting<Duration> TRUST_FOR =
      new Setting<>(
          "store.cassandra.trust-for",
          Kinds.duration(Duration.ofMillis(1), Duration.ofMinutes(10)),
          DEFAULT.trustFor(),
          "How long a process trusts its last reading of an hour; dropping an hour takes as "
              + "long. It must be equal in all processes.");
  private static final Setting<Duration> SEAL_AFTER =
      new Setting<>(
          "store.cassandra.seal-after",
          Kinds.duration(Duration.ZERO, Duration.ofDays(365)),
          DEFAULT.sealAfter(),
          "A row is sealed that long after the end of its hour and after its last write; the clocks"
              + " of two processes must not differ by more.");

  static final List<Setting<?>> ALL =
      List.of(
          CONTACT_POINTS,
          DATACENTER,
          KEYSPACE,
          CREATE_SCHEMA,
          REPLICATION,
          CONSISTENCY,
          USERNAME,
          PASSWORD,
          TLS,
          TRUST_STORE,
          TRUST_STORE_PASSWORD,
          REQUEST_TIMEOUT,
          SPECULATE_AFTER,
          REQUESTS_MAX,
          WRITE_BYTES_MAX,
          BATCH_BYTES,
          TRUST_FOR,
          SEAL_AFTER);

  private CassandraSettings() {}

  static CassandraOptions read(SettingsReader reader, Retention retention, Duration settle) {
    if (reader.get(USERNAME).isEmpty() != reader.get(PASSWORD).isEmpty()) {
      reader.refuse(USERNAME, "it together with " + PASSWORD.key() + ", or neither");
    }
    return CassandraOptions.builder()
        .contactPoints(reader.get(CONTACT_POINTS))
        .datacenter(orNull(reader.get(DATACENTER)))
        .keyspace(reader.get(KEYSPACE))
        .createSchema(reader.get(CREATE_SCHEMA))
        .replication(orNull(reader.get(REPLICATION)))
        .consistency(reader.get(CONSISTENCY))
        .username(orNull(reader.get(USERNAME)))
        .password(orNull(reader.get(PASSWORD)))
        .tls(reader.get(TLS))
        .trustStore(orNull(reader.get(TRUST_STORE)))
        .trustStorePassword(orNull(reader.get(TRUST_STORE_PASSWORD)))
        .requestTimeout(reader.get(REQUEST_TIMEOUT))
        .speculateAfter(reader.get(SPECULATE_AFTER))
        .requestsMax(reader.get(REQUESTS_MAX))
        .writeBytesMax(reader.get(WRITE_BYTES_MAX))
        .batchBytes(Math.toIntExact(reader.get(BATCH_BYTES)))
        .trustFor(reader.get(TRUST_FOR))
        .sealAfter(reader.get(SEAL_AFTER))
        .settle(settle)
        .retention(retention)
        .build();
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
