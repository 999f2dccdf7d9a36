package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.rows.RetentionClass;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the missing keyspace, types and tables if this is allowed, and compares all of them with
 * the .cql files. Blocks; used by one thread at a time.
 */
final class Schema {
  private static final Logger logger = LoggerFactory.getLogger(Schema.class);

  /** The format of all tables, which is their comment. Tables of another one cannot be read. */
  static final String FORMAT = "Hourglass, format 2";

  /** The greatest random delay before a second check, so that one of several processes is first. */
  private static final int STAGGER_MILLIS = 400;

  /** The timeout of a schema change, in which all nodes take part; it is slow on a busy cluster. */
  private static final Duration CHANGE_TIMEOUT = Duration.ofSeconds(30);

  /** The default replication: with three copies, a quorum survives the loss of a node. */
  private static final int REPLICATION_FACTOR = 3;

  private final CqlSession session;
  private final CassandraOptions options;

  /**
   * The definitions, by the statements that create them. They are in order, since a table needs its
   * types.
   */
  private final Map<String, Definition> wanted = new LinkedHashMap<>();

  Schema(CqlSession session, CassandraOptions options) {
    this.session = session;
    this.options = options;
    Map<String, String> names = Map.of("keyspace", options.keyspace(), "format", FORMAT);
    want("directory.cql", names);
    want("erasures.cql", names);
    for (RetentionClass retentionClass : classes(options)) {
      Map<String, String> values =
          Map.of(
              "keyspace", options.keyspace(),
              "packs", retentionClass.name(),
              "pages", retentionClass.pagesTable(),
              "compaction", retentionClass.compaction(),
              "format", FORMAT,
              "seconds", Integer.toString(retentionClass.seconds()));
      want("packs.cql", values);
    }
  }

  /**
   * Reads definitions from a .cql file next to this class, without comments, and with {@code
   * ${name}} replaced.
   */
  private void want(String file, Map<String, String> values) {
    String text;
    try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream(file), file)) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("--[^\n]*", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Map.Entry<String, String> value : values.entrySet()) {
      text = text.replace("${" + value.getKey() + "}", value.getValue());
    }
    Arrays.stream(text.split(";"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .forEach(statement -> wanted.put(statement, Definition.parse(statement)));
  }

  static Set<RetentionClass> classes(CassandraOptions options) {
    Set<RetentionClass> classes = new LinkedHashSet<>();
    classes.add(RetentionClass.of(options.retention().byDefault()));
    options.retention().byType().values().forEach(keep -> classes.add(RetentionClass.of(keep)));
    return classes;
  }

  /**
   * Creates missing parts, and compares the schema.
   *
   * @throws UnavailableException if it differs; the message names every difference and the remedy
   */
  void ensure() {
    refuseOtherFormats();
    List<String> missing = missing();
    if (!missing.isEmpty()) {
      if (!options.createSchema()) {
        throw difference(missing, "create-schema is off: create it by hand");
      }
      stagger();
      create();
    }
    Map<String, Definition> found = found();
    List<String> differences =
        wanted.values().stream()
            .flatMap(want -> want.differences(found.get(want.name())).stream())
            .toList();
    if (!differences.isEmpty()) {
      throw difference(differences, "alter it, or choose another keyspace");
    }
  }

  /** Refuses tables of another format, before anything is changed beside them. */
  private void refuseOtherFormats() {
    Map<String, Definition> found = found();
    List<String> others =
        wanted.values().stream()
            .filter(want -> want.options().containsKey(Definition.COMMENT))
            .map(want -> found.get(want.name()))
            .filter(Objects::nonNull)
            .filter(table -> !FORMAT.equals(table.options().get(Definition.COMMENT)))
            .map(table -> table.name() + " (" + table.options().get(Definition.COMMENT) + ")")
            .sorted()
            .toList();
    if (!others.isEmpty()) {
      throw new UnavailableException(
          ("Cassandra: keyspace %s has tables of another format than \"%s\": %s; it is left as it"
                  + " is. Choose another keyspace; to move the events, read them out with the"
                  + " program that wrote them, and use hourglass import")
              .formatted(options.keyspace(), FORMAT, String.join(", ", others)));
    }
  }

  private UnavailableException difference(List<String> differences, String remedy) {
    return new UnavailableException(
        "Cassandra: the schema of keyspace "
            + options.keyspace()
            + " is not that of this version: "
            + String.join("; ", differences)
            + "; "
            + remedy);
  }

  private List<String> missing() {
    Map<String, Definition> found = found();
    Stream<String> tables =
        wanted.values().stream().map(Definition::name).filter(name -> !found.containsKey(name));
    Stream<String> keyspace =
        hasKeyspace() ? Stream.empty() : Stream.of("keyspace " + options.keyspace());
    return Stream.concat(tables, keyspace).map(name -> name + " is missing").sorted().toList();
  }

  /**
   * Waits at random, since concurrent creations of one table would produce conflicting versions of
   * it.
   */
  private static void stagger() {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextInt(STAGGER_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("closed while the schema was made", e);
    }
  }

  private void create() {
    if (!hasKeyspace()) {
      change(createKeyspace());
    }
    Map<String, Definition> found = found();
    wanted.forEach(
        (create, want) -> {
          if (!found.containsKey(want.name())) {
            change(create);
            logger.info("{}.{} created", options.keyspace(), want.name());
          }
        });
    if (!session.checkSchemaAgreement()) {
      throw new UnavailableException("Cassandra: the nodes do not agree on the new schema yet");
    }
  }

  /**
   * Changes the schema. The statement is not idempotent, and so never sent to a second node: see
   * {@link #stagger}.
   */
  private void change(String cql) {
    session.execute(
        SimpleStatement.newInstance(cql).setIdempotent(false).setTimeout(CHANGE_TIMEOUT));
  }

  private String createKeyspace() {
    Collection<Node> nodes = session.getMetadata().getNodes().values();
    String datacenter = datacenter(nodes);
    int size = (int) nodes.stream().filter(n -> datacenter.equals(n.getDatacenter())).count();
    Map<String, Integer> factors =
        options.replication() == null
            ? Map.of("", Math.min(REPLICATION_FACTOR, size))
            : OptionTexts.replication(options.replication());
    return factors.entrySet().stream()
        .map(
            factor ->
                "'"
                    + (factor.getKey().isEmpty() ? datacenter : factor.getKey()).replace("'", "''")
                    + "': "
                    + factor.getValue())
        .collect(
            Collectors.joining(
                ", ",
                "CREATE KEYSPACE IF NOT EXISTS "
                    + options.keyspace()
                    + " WITH replication = {'class': 'NetworkTopologyStrategy', ",
                "}"));
  }

  private String datacenter(Collection<Node> nodes) {
    @Nullable String local = options.datacenter();
    if (local != null) {
      return local;
    }
    return nodes.stream()
        .filter(node -> node.getDistance() == NodeDistance.LOCAL)
        .map(Node::getDatacenter)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new UnavailableException("Cassandra: no node reports its datacenter"));
  }

  private boolean hasKeyspace() {
    return session
            .execute(
                "SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?",
                options.keyspace())
            .one()
        != null;
  }

  private Map<String, Definition> found() {
    Map<String, Map<String, String>> columns = new HashMap<>();
    for (Row row : rows("SELECT * FROM system_schema.columns WHERE keyspace_name = ?")) {
      String kind = Objects.requireNonNull(row.getString("kind"));
      String order = Objects.requireNonNull(row.getString("clustering_order"));
      columns
          .computeIfAbsent(row.getString("table_name"), any -> new TreeMap<>())
          .put(
              row.getString("column_name"),
              spaceless(row.getString("type"))
                  + Definition.keyPart(kind, row.getInt("position"), order));
    }
    Map<String, Definition> found = new HashMap<>();
    for (Row row : rows("SELECT * FROM system_schema.tables WHERE keyspace_name = ?")) {
      String name = Objects.requireNonNull(row.getString("table_name"));
      found.put(
          name, new Definition(name, columns.getOrDefault(name, Map.of()), tableOptions(row)));
    }
    for (Row row : rows("SELECT * FROM system_schema.types WHERE keyspace_name = ?")) {
      String name = Objects.requireNonNull(row.getString("type_name"));
      List<String> names = Objects.requireNonNull(row.getList("field_names", String.class));
      List<String> types = Objects.requireNonNull(row.getList("field_types", String.class));
      Map<String, String> fields = new TreeMap<>();
      for (int i = 0; i < names.size(); i++) {
        fields.put(names.get(i), spaceless(types.get(i)));
      }
      found.put(name, new Definition(name, fields, Map.of()));
    }
    return found;
  }

  private Iterable<Row> rows(String cql) {
    return session.execute(cql, options.keyspace());
  }

  private static Map<String, String> tableOptions(Row table) {
    Map<String, String> options = new TreeMap<>();
    Map<String, String> compaction = table.getMap("compaction", String.class, String.class);
    Objects.requireNonNull(compaction)
        .forEach(
            (key, value) ->
                options.put(
                    Definition.COMPACTION + key, value.substring(value.lastIndexOf('.') + 1)));
    options.put(Definition.COMMENT, table.getString("comment"));
    options.put(Definition.TTL, Integer.toString(table.getInt("default_time_to_live")));
    return options;
  }

  private static String spaceless(@Nullable String type) {
    return Objects.requireNonNull(type).replace(" ", "");
  }
}
