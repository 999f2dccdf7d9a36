package hourglass.config.settings;

import hourglass.store.Retention;
import hourglass.store.cassandra.CassandraOptions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of those {@link CassandraOptions} that an operator has reasons to change. */
final class CassandraSettings {
  static final SettingGroup ALL = new SettingGroup("store.cassandra");

  private static final CassandraOptions DEFAULT = CassandraOptions.DEFAULTS;

  /** The value that leaves the choice to the engine. */
  private static final String AUTO = "";

  private static final Setting<List<String>> CONTACT_POINTS =
      ALL.key(
              "contact-points",
              Kinds.texts("a list of one or more nodes, as in [\"10.0.0.1:9042\"]"),
              DEFAULT.contactPoints())
          .about("Nodes to begin with; the others are learnt from them.");
  private static final Setting<String> DATACENTER =
      ALL.key("datacenter", Kinds.or("auto", AUTO, Kinds.text("a name")), AUTO)
          .about("The datacenter to talk to; auto: that of the contact points.");
  private static final Setting<String> KEYSPACE =
      ALL.key("keyspace", Kinds.text("a name"), DEFAULT.keyspace())
          .about("The keyspace of all tables.");
  private static final Setting<Boolean> CREATE_SCHEMA =
      ALL.key("create-schema", Kinds.truth(), DEFAULT.createSchema())
          .about(
              "Whether a keyspace, types and tables that are missing are made. Those that are there are"
                  + " checked in any case.");
  private static final Setting<String> REPLICATION =
      ALL.key(
              "replication",
              Kinds.or("auto", AUTO, Kinds.text("a number of nodes, or dc1:3,dc2:3")),
              AUTO)
          .about(
              "How many nodes keep each row, for a keyspace that is made; auto: 3, or as many as the"
                  + " datacenter has.");
  private static final Setting<String> CONSISTENCY =
      ALL.key("consistency", Kinds.text("a level such as LOCAL_QUORUM"), DEFAULT.consistency())
          .about(
              "Of reads and writes. Below a quorum, what was acknowledged may be missing from answers.");
  private static final Setting<String> USERNAME =
      ALL.key("username", Kinds.optionalText("a name; empty: no login"), "")
          .about("The user name for the cluster.");
  private static final Setting<String> PASSWORD =
      ALL.key("password", Kinds.secret(), "")
          .about(
              "The password of that name. Never printed; the environment hides it from other users'"
                  + " lists of processes.");
  private static final Setting<Boolean> TLS =
      ALL.key("tls", Kinds.truth(), DEFAULT.tls())
          .about(
              "Whether connections to the cluster are encrypted, and the names of its nodes checked.");
  private static final Setting<String> TRUST_STORE =
      ALL.key("trust-store", Kinds.optionalText("a file in PKCS #12 or JKS; empty: none"), "")
          .about("The certificates to trust; without it those that the JDK trusts.");
  private static final Setting<String> TRUST_STORE_PASSWORD =
      ALL.key("trust-store-password", Kinds.secret(), "")
          .about("The password of that file. Never printed.");
  private static final Setting<Duration> REQUEST_TIMEOUT =
      ALL.key("request-timeout", Kinds.duration("100 ms", "5 min"), DEFAULT.requestTimeout())
          .about("After that a request to the cluster, all its repetitions included, has failed.");
  private static final Setting<Duration> SPECULATE_AFTER =
      ALL.key("speculate-after", Kinds.duration("1 ms", "5 min"), DEFAULT.speculateAfter())
          .about("After that another node is asked as well.");
  private static final Setting<Integer> REQUESTS_MAX =
      ALL.key("requests-max", Kinds.count(1, 100_000), DEFAULT.requestsMax())
          .about("Writes under way at a time, and reads as many; more wait.");
  private static final Setting<Long> WRITE_BYTES_MAX =
      ALL.key("write-bytes-max", Kinds.bytes(1 << 20, 1L << 40), DEFAULT.writeBytesMax())
          .about(
              "Payloads that the cluster has not acknowledged yet; beyond it writes are refused with"
                  + " 429.");
  private static final Setting<Long> BATCH_BYTES =
      ALL.key("batch-bytes", Kinds.bytes(1, 1 << 20), (long) DEFAULT.batchBytes())
          .about("Payloads of one batch of inserts, all of one row.");
  private static final Setting<Duration> TRUST_FOR =
      ALL.key("trust-for", Kinds.duration("1 ms", "10 min"), DEFAULT.trustFor())
          .about(
              "How long a process trusts its last reading of an hour; dropping an hour takes as "
                  + "long. It must be equal in all processes.");
  private static final Setting<Duration> SEAL_AFTER =
      ALL.key("seal-after", Kinds.duration("0", "365 d"), DEFAULT.sealAfter())
          .about(
              "A row is sealed that long after the end of its hour and after its last write; the clocks"
                  + " of two processes must not differ by more than half of it.");

  private static final Setting<Duration> REPLACE_GRACE =
      ALL.key("replace-grace", Kinds.duration("10 ms", "365 d"), DEFAULT.replaceGrace())
          .about(
              "What the pages of a sealed row replace is deleted that long after them; at least"
                  + " query.timeout and twice trust-for.");

  private CassandraSettings() {}

  static CassandraOptions read(SettingsReader reader, Retention retention, Duration settle) {
    if (reader.get(USERNAME).isEmpty() != reader.get(PASSWORD).isEmpty()) {
      reader.refuse(USERNAME, "it together with " + PASSWORD.key() + ", or neither");
    }
    Duration grace = reader.get(REPLACE_GRACE);
    if (grace.compareTo(reader.get(QuerySettings.TIMEOUT)) < 0
        || grace.compareTo(reader.get(TRUST_FOR).multipliedBy(2)) < 0) {
      reader.refuse(
          REPLACE_GRACE,
          "at least " + QuerySettings.TIMEOUT.key() + " and twice " + TRUST_FOR.key());
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
        .replaceGrace(grace)
        .settle(settle)
        .untimedWindow(reader.get(UntimedSettings.WINDOW))
        .retention(retention)
        .build();
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
