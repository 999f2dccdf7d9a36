package hourglass.config.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hourglass.access.Limits;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.config.gate.audit.AuditOptions;
import hourglass.ingest.http.PushRules;
import hourglass.ingest.protocols.elastic.ElasticBulk;
import hourglass.ingest.protocols.journal.JournalUpload;
import hourglass.ingest.protocols.loki.LokiPush;
import hourglass.ingest.protocols.otlp.Otlp;
import hourglass.ingest.protocols.splunk.SplunkCollector;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.syslog.SyslogOptions;
import hourglass.query.QueryOptions;
import hourglass.query.tail.TailOptions;
import hourglass.store.Retention;
import hourglass.store.embedded.EmbeddedOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  @TempDir Path folder;

  @Test
  void defaultsAreThoseOfTheOptions() {
    Settings settings = Settings.load(new SettingsSources(file(""), Map.of(), List.of()));
    assertThat(settings.store())
        .isEqualTo(new StoreOptions.Embedded(EmbeddedOptions.builder(Path.of("data")).build()));
    assertThat(settings.limits()).isEqualTo(Limits.NONE);
    assertThat(settings.audit()).isEqualTo(AuditOptions.DEFAULT);
    assertThat(settings.planner()).isEqualTo(PlannerOptions.DEFAULTS);
    assertThat(settings.ingest()).isEqualTo(IngestOptions.DEFAULTS);
    assertThat(settings.pushRules()).isEqualTo(PushRules.DEFAULTS);
    assertThat(settings.protocols())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                ElasticBulk.NAME, ElasticBulk.DEFAULTS,
                LokiPush.NAME, LokiPush.DEFAULTS,
                Otlp.NAME, Otlp.DEFAULTS,
                SplunkCollector.NAME, SplunkCollector.DEFAULTS,
                JournalUpload.NAME, JournalUpload.DEFAULTS));
    assertThat(settings.kafka()).isNull();
    assertThat(settings.syslog()).isEqualTo(SyslogOptions.DEFAULTS);
    assertThat(settings.query()).isEqualTo(QueryOptions.DEFAULTS);
    assertThat(settings.tails()).isEqualTo(TailOptions.DEFAULTS);
    assertThat(settings.roles()).containsExactlyInAnyOrder(Role.values());
  }

  /** Each layer covers the one before; an empty cell is a layer without the key. */
  @ParameterizedTest
  @CsvSource({
    // file, environment, --set, --set again, port
    "    ,      ,      ,      , 8080",
    "7001,      ,      ,      , 7001",
    "7001, 7002 ,      ,      , 7002",
    "7001, 7002 , 7003 ,      , 7003",
    "7001, 7002 , 7003 , 7004 , 7004",
    "    , 7002 ,      , 7004 , 7004",
    "7001,      ,  7003,      , 7003",
  })
  void setCoversEnvironmentCoversFile(
      String file, String environment, String set, String again, int port) {
    Path written = file(file == null ? "" : "http.port = " + file);
    Map<String, String> variables =
        environment == null ? Map.of() : Map.of("HOURGLASS_HTTP_PORT", environment);
    List<String> assignments =
        java.util.stream.Stream.of(set, again)
            .filter(java.util.Objects::nonNull)
            .map(value -> "http.port=" + value)
            .toList();
    Settings settings = Settings.load(new SettingsSources(written, variables, assignments));
    assertThat(settings.http().port()).isEqualTo(port);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "http.prot=1                       | http.prot = 1 (from --set): unknown key; the nearest known one is http.port",
        "htpt.port=1                       | htpt.port = 1 (from --set): unknown key; the nearest known one is http.port",
        "protocols.journal.identity=body   | protocols.journal.identity = body (from --set): unknown key; the nearest known one is protocols.loki.identity",
        "port=1                            | port = 1 (from --set): unknown key; the nearest known one is http.port",
        "retention.typs.a=3d               | retention.typs.a = 3d (from --set): unknown key; the nearest known one is retention.types",
        "ingest.max-event-byte=1           | ingest.max-event-byte = 1 (from --set): unknown key; the nearest known one is ingest.max-event-bytes",
        "\"http.port\"=1                   | \"http.port\" = 1 (from --set): unknown key; the nearest known one is http.port",
        "kafka.topics=[a]                  | kafka.bootstrap-servers =  (from default): not allowed; want brokers where there are kafka.topics",
        "kafka.consumer.sasl.jaas.config=x | kafka.consumer.sasl.jaas.config = (secret) (from --set): unknown key; the nearest known one is kafka.consumers",
        "kafka.client={group.id=x}         | kafka.client = (secret) (from --set): group.id: not allowed; Hourglass sets it, since its promises rest on it",
        "kafka.bootstrap-servers=a:99999   | kafka.bootstrap-servers = a:99999 (from --set): not allowed; \"a:99999\" is not a broker as 10.0.0.1:9092; want brokers, as in 10.0.0.1:9092,10.0.0.2:9092; empty: no Kafka",
        "kafka.bootstrap-servers=a:1,b     | kafka.bootstrap-servers = a:1,b (from --set): not allowed; \"b\" is not a broker as 10.0.0.1:9092; want brokers, as in 10.0.0.1:9092,10.0.0.2:9092; empty: no Kafka",
        "kafka.mappings={a.b.type=x}       | kafka.mappings = {\"a\":{\"b\":{\"type\":\"x\"}}} (from --set): not allowed; a topic with dots is written in quotes: \"a.b\"; want a map such as { orders { type-field = kind, time-field = at } }, with some of type-field, time-field, id-field, type for each topic",
        "store.cassandra.keyspaces=a       | store.cassandra.keyspaces = a (from --set): unknown key; the nearest known one is store.cassandra.keyspace",
        "store.cassandra.keyspace=My-Own   | store.cassandra.keyspace: \"My-Own\", want a-z, then a-z, 0-9 or _, at most 48 characters (from --set)",
        "store.cassandra.replication=dc1:x  | store.cassandra.replication: \"dc1:x\", want a number from 1, or dc1:3,dc2:3 (from --set)",
        "store.cassandra.contact-points=[]  | store.cassandra.contact-points = [] (from --set): not allowed; want a list of one or more nodes, as in [\"10.0.0.1:9042\"]",
        "store.cassandra.username=ada       | store.cassandra.username: \"ada\", want it together with store.cassandra.password, or neither (from --set)",
        "query.row-cache=1 KiB              | query.row-cache = 1 KiB (from --set): not allowed; want 0, or at least 1024 KiB",
        "http.port=65536                   | http.port = 65536 (from --set): not allowed; want a whole number from 0 to 65535 (0: any free port)",
        "http.port=-1                      | http.port = -1 (from --set): not allowed; want a whole number from 0 to 65535 (0: any free port)",
        "http.port=eighty                  | http.port = eighty (from --set): not allowed; want a whole number from 0 to 65535 (0: any free port)",
        "http.port=99999999999999999999    | http.port = 99999999999999999999 (from --set): not allowed; want a whole number from 0 to 65535 (0: any free port)",
        "http.port=[1]                     | http.port = [1] (from --set): not allowed; want a whole number from 0 to 65535 (0: any free port)",
        "http.port=                        | http.port =  (from --set): not allowed; want a whole number from 0 to 65535 (0: any free port)",
        "http.allow-open=yes               | http.allow-open = yes (from --set): not allowed; want true or false",
        "roles=ingest,cook                 | roles = ingest,cook (from --set): not allowed; want a list of one or more of ingest, query, dashboard",
        "roles=[]                          | roles = [] (from --set): not allowed; want a list of one or more of ingest, query, dashboard",
        "store.engine=paper                | store.engine = paper (from --set): not allowed; want embedded or cassandra",
        "ingest.max-event-bytes=1 MB2      | ingest.max-event-bytes = 1 MB2 (from --set): not allowed; want a size such as 512 KiB or 64 MiB, from 1 B to 1 GiB",
        "ingest.accept-early=10 parsecs    | ingest.accept-early = 10 parsecs (from --set): not allowed; want a duration such as 500 ms, 10 min or 30d, from 0 to 36525 d",
        "ingest.accept-early=10            | ingest.accept-early = 10 (from --set): not allowed; want a duration such as 500 ms, 10 min or 30d, from 0 to 36525 d",
        "retention.default=5 min           | retention.default = 5 min (from --set): not allowed; want keep, or a duration such as 500 ms, 10 min or 30d, from 1 h to 36525 d",
        "retention.types.user.created=30d  | retention.types = {\"user\":{\"created\":\"30d\"}} (from --set): not allowed; a type with dots is written in quotes: \"user.created\"; want a map such as { checkout = ..., \"user.created\" = ... }, each keep, or a duration such as 500 ms, 10 min or 30d, from 1 h to 36525 d",
        "retention.types.a=soon            | retention.types = {\"a\":\"soon\"} (from --set): not allowed; wrong for the type a; want a map such as { checkout = ..., \"user.created\" = ... }, each keep, or a duration such as 500 ms, 10 min or 30d, from 1 h to 36525 d",
        "retention.types=30d               | retention.types = 30d (from --set): not allowed; want a map such as { checkout = ..., \"user.created\" = ... }, each keep, or a duration such as 500 ms, 10 min or 30d, from 1 h to 36525 d",
        "bucketing.shards-by-type={a=0}    | bucketing.shards-by-type = {\"a\":0} (from --set): not allowed; wrong for the type a; want a map such as { checkout = ..., \"user.created\" = ... }, each adaptive, or a whole number from 1 to 1024",
        "store.embedded.memory-budget=3MiB | store.embedded.memory-budget = 3MiB (from --set): not allowed; want a size such as 512 KiB or 64 MiB, from 4 MiB to 1 TiB",
        "store.embedded.log-segment=4MiB   | store.embedded.log-segment = 4MiB (from --set): removed: now fixed at an eighth of store.embedded.memory-budget, from 1 to 32 MiB",
        "query={fan-out=9}                 | query.fan-out = 9 (from --set): removed: now fixed at 8",
        "ingest.max-body-bytes=500MiB      | ingest.max-in-flight-bytes: 167772160, want 1065353216 to any (from default)",
        "http.tls.cert=a.pem               | http.tls.key =  (from default): not allowed; want http.tls.cert and http.tls.key, or neither",
        "http.tls.client-auth=maybe        | http.tls.client-auth = maybe (from --set): not allowed; want none or optional or required",
        "http.tls.client-ca=a.pem          | http.tls.client-ca = a.pem (from --set): not allowed; want no file, or http.tls.client-auth = optional or required",
        "http.host=0.0.0.0                 | http.host = 0.0.0.0 (from --set): reachable from other machines without keys; want keys.file, a loopback address such as 127.0.0.1, or http.allow-open = true",
        "http.host=                        | http.host =  (from --set): not allowed; want a host name or an address",
        "http.port                         | --set http.port: not an assignment; want key=value",
        "=1                                | --set =1: not an assignment; want key=value",
      })
  void refuses(String assignment, String problem) {
    SettingsException refused =
        catchThrowableOfType(SettingsException.class, () -> set(assignment.strip()));
    assertThat(refused.problems()).containsExactly(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"roles=[query", "http..port=1", "retention.types={a=", "http.host=\"a"})
  void refusesWhatItCannotRead(String assignment) {
    SettingsException refused =
        catchThrowableOfType(SettingsException.class, () -> set(assignment));
    assertThat(refused.problems())
        .singleElement()
        .asString()
        .contains("(from --set): not readable");
  }

  @Test
  void reportsEverythingAtOnce() {
    Path written = file("http.port = 70000\nrolls = [query]\n");
    SettingsException refused =
        catchThrowableOfType(
            SettingsException.class,
            () ->
                Settings.load(
                    new SettingsSources(
                        written,
                        Map.of("HOURGLASS_QUERY_MAXROWS", "9", "PATH", "/bin"),
                        List.of("store.engine=paper"))));
    assertThat(refused.problems())
        .containsExactlyInAnyOrder(
            "http.port = 70000 (from "
                + written
                + ": 1): not allowed; want a whole number from 0"
                + " to 65535 (0: any free port)",
            "rolls = [\"query\"] (from "
                + written
                + ": 2): unknown key; the nearest known one is"
                + " roles",
            "HOURGLASS_QUERY_MAXROWS = 9 (from environment): unknown key; the nearest known one is"
                + " HOURGLASS_QUERY_MAX_ROWS",
            "store.engine = paper (from --set): not allowed; want embedded or cassandra");
  }

  @Test
  void removedVariablesAreRefusedWithTheirRemark() {
    SettingsException refused =
        catchThrowableOfType(
            SettingsException.class,
            () ->
                Settings.load(
                    new SettingsSources(
                        file("store.cassandra { trust-for = 1 s }"),
                        Map.of("HOURGLASS_QUERY_FAN_OUT", "9"),
                        List.of())));
    assertThat(refused.problems())
        .containsExactlyInAnyOrder(
            "store.cassandra.trust-for = 1 s (from "
                + folder.resolve("test.conf")
                + ": 1): removed: now fixed at 5 s",
            "HOURGLASS_QUERY_FAN_OUT = 9 (from environment): removed: now fixed at 8");
  }

  @Test
  void aSegmentOfTheLogIsAnEighthOfTheBudget() {
    assertThat(segmentBytes("4 MiB")).isEqualTo(1 << 20);
    assertThat(segmentBytes("64 MiB")).isEqualTo(8 << 20);
    assertThat(segmentBytes("1 GiB")).isEqualTo(32 << 20);
  }

  private int segmentBytes(String budget) {
    StoreOptions store = set("store.embedded.memory-budget=" + budget).store();
    return ((StoreOptions.Embedded) store).options().segmentBytes();
  }

  @Test
  void mapsMergeEntryByEntry() {
    Path written =
        file("retention { default = 30d, types { checkout = 400d, \"user.created\" = keep } }");
    Settings settings =
        Settings.load(
            new SettingsSources(
                written,
                Map.of("HOURGLASS_RETENTION_TYPES", "{ checkout = 2d }"),
                List.of("retention.types.\"a|b\"=1d", "retention.types={c=3 h}")));
    assertThat(settings.store().retention().forType("checkout")).isEqualTo(Duration.ofDays(2));
    assertThat(settings.store().retention().forType("user.created")).isEqualTo(Retention.FOREVER);
    assertThat(settings.store().retention().forType("a|b")).isEqualTo(Duration.ofDays(1));
    assertThat(settings.store().retention().forType("c")).isEqualTo(Duration.ofHours(3));
    assertThat(settings.store().retention().forType("other")).isEqualTo(Duration.ofDays(30));
  }

  @Test
  void literalTextIsNotHocon() {
    assertThat(dir("store.embedded.dir=a b#c ${d}")).isEqualTo(Path.of("a b#c ${d}"));
    assertThat(dir("store.embedded.dir=\"a\\u0062\"")).isEqualTo(Path.of("ab"));
    assertThat(set("roles=query, ingest").roles()).containsExactly(Role.INGEST, Role.QUERY);
    assertThat(set("roles=[query]").roles()).containsExactly(Role.QUERY);
  }

  @Test
  void listensBeyondLoopbackOnlyKnowingly() {
    assertThat(
            Settings.load(sources("http.host=0.0.0.0").onTop("http.allow-open=true")).http().host())
        .isEqualTo("0.0.0.0");
    assertThat(set("http.host=127.0.0.2").http().host()).isEqualTo("127.0.0.2");
    assertThat(set("http.host=::1").http().host()).isEqualTo("::1");
    assertThat(set("http.host=localhost").http().host()).isEqualTo("localhost");
  }

  @Test
  void leavesTheVariablesOfContainerPlatformsAlone() {
    Map<String, String> variables =
        Map.of(
            "HOURGLASS_SERVICE_HOST", "10.0.0.1",
            "HOURGLASS_SERVICE_PORT_HTTP", "8080",
            "HOURGLASS_PORT", "tcp://10.0.0.1:8080",
            "HOURGLASS_INGEST_PORT_8080_TCP_ADDR", "10.0.0.1");
    Settings settings = Settings.load(new SettingsSources(file(""), variables, List.of()));
    assertThat(settings.http()).isEqualTo(Settings.defaults().http());
  }

  @Test
  void aFileThatIsNamedMustBeThere() {
    Path missing = folder.resolve("none.conf");
    assertThatThrownBy(() -> Settings.load(new SettingsSources(missing, Map.of(), List.of())))
        .hasMessage(missing + ": no such file, or it cannot be read");
  }

  @Test
  void aFileThatIsNotHoconIsRefusedWithItsLine() {
    Path written = file("http.port = 1\nroles = [\n");
    assertThatThrownBy(() -> Settings.load(new SettingsSources(written, Map.of(), List.of())))
        .hasMessageStartingWith("not readable as HOCON: " + written + ": 3");
  }

  @Test
  void effectiveSettingsNameTheirSourceAndReadBack() throws IOException {
    String text =
        Settings.text(
            new SettingsSources(
                file("http.port = 7001"),
                Map.of("HOURGLASS_ROLES", "query"),
                List.of("retention.types.\"user.created\"=30d")));
    assertThat(text)
        .containsPattern("(?m)^http.port = 7001 +# from .*test.conf: 1$")
        .containsPattern("(?m)^roles = query +# from environment HOURGLASS_ROLES$")
        .containsPattern("(?m)^retention.types = \\{\"user.created\":\"30d\"} +# from --set$")
        .containsPattern("(?m)^http.host = 127.0.0.1 +# default$");
    Path written = Files.writeString(folder.resolve("effective.conf"), text);
    Settings again = Settings.load(new SettingsSources(written, Map.of(), List.of()));
    assertThat(again.http().port()).isEqualTo(7001);
    assertThat(again.store().retention().forType("user.created")).isEqualTo(Duration.ofDays(30));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fetch.min.bytes = x            | Invalid value x for configuration fetch.min.bytes",
        "isolation.level = some         | Invalid value some for configuration isolation.level",
        "sasl.jaas.config = hunter2, security.protocol = NONE | security.protocol",
      })
  void whatTheKafkaClientRefusesIsRefusedAtOnce(String settings, String problem) {
    SettingsSources kafka =
        sources("kafka.bootstrap-servers=\"127.0.0.1:9092\"").onTop("kafka.topics=[orders]");
    assertThat(Settings.load(kafka).kafka()).isNotNull();
    assertThatThrownBy(() -> Settings.load(kafka.onTop("kafka.bootstrap-servers=b")))
        .hasMessageContaining("is not a broker")
        .hasMessageNotContaining("want brokers where");
    assertThatThrownBy(() -> Settings.load(kafka.onTop("kafka.client={" + settings + "}")))
        .hasMessageContaining("kafka.client = (secret) ")
        .hasMessageContaining(problem)
        .hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kafka.bootstrap-servers=b   | kafka.topics=[orders]                   | kafka.bootstrap-servers",
        "kafka.topics=[/(/]          | kafka.bootstrap-servers=\"127.0.0.1:1\" | kafka.topics",
        "retention.default=12x       | store.engine=cassandra                  | retention.default",
      })
  void wrongSettingIsRefusedOnlyOnce(String bad, String other, String key) {
    SettingsSources kafka = sources("kafka.bootstrap-servers=\"127.0.0.1:9092\"");
    SettingsException refused =
        catchThrowableOfType(
            SettingsException.class, () -> Settings.load(kafka.onTop(other).onTop(bad)));
    assertThat(refused.problems()).filteredOn(problem -> problem.startsWith(key)).hasSize(1);
  }

  private Path dir(String assignment) {
    return ((StoreOptions.Embedded) set(assignment).store()).options().dir();
  }

  private Settings set(String assignment) {
    return Settings.load(sources(assignment));
  }

  private SettingsSources sources(String assignment) {
    return GivenSettings.set(folder, assignment);
  }

  private Path file(String text) {
    return GivenSettings.file(folder, text);
  }
}
