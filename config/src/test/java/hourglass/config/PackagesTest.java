package hourglass.config;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import hourglass.access.DaemonThreads;
import hourglass.access.Failures;
import hourglass.access.Refusal;
import hourglass.access.RefusedException;
import hourglass.access.SharedRoom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The arrows between packages, and which of them may know which library. */
class PackagesTest {
  /** What every module may use of {@code hourglass.access}, which else is for services alone. */
  private static final Class<?>[] SHARED = {
    SharedRoom.class, Refusal.class, RefusedException.class, Failures.class, DaemonThreads.class
  };

  private static JavaClasses program;

  @BeforeAll
  static void read() {
    program =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("hourglass");
  }

  /** The packages of the ground floor, which all others may use. */
  private static final String[] GROUND = {"hourglass.bytes", "hourglass.bucketing.."};

  static Stream<Arguments> arrows() {
    return Stream.of(
        Arguments.of("hourglass.bytes", new String[] {}),
        Arguments.of("hourglass.access", new String[] {}),
        Arguments.of("hourglass.bucketing..", new String[] {"hourglass.bytes"}),
        arrow("http", "access"),
        arrow("command"),
        arrow("store"),
        arrow("store.pages", "store", "store.pages.hashes", "store.pages.runs"),
        arrow("store.pages.hashes", "store", "store.pages.runs"),
        arrow("store.pages.runs", "store"),
        arrow("store.rows", "store", "store.pages", "store.pages.hashes"),
        arrow("store.rows.cache", "store"),
        arrow("store.embedded..", "store", "store.erasure", "store.pages", "store.rows"),
        room("disk"),
        room("frames", "disk"),
        room("files", "disk", "frames"),
        room("memory", "files", "disk"),
        room("late", "memory", "files", "frames", "disk"),
        room("firsttimes", "frames", "disk"),
        room("log", "firsttimes", "late", "memory", "files", "frames", "disk"),
        room("erasure", "frames", "disk"),
        room("backup", "log", "firsttimes", "late", "erasure", "memory", "files", "frames", "disk"),
        room("maintenance", "log", "firsttimes", "late", "erasure", "memory", "files", "disk"),
        arrow("store.erasure", "store"),
        arrow("store.cassandra..", "store", "store.erasure", "store.pages", "store.rows"),
        arrow("store.cassandra.driver", "store"),
        arrow(
            "store.cassandra.late",
            "store",
            "store.erasure",
            "store.cassandra.driver",
            "store.cassandra.rows"),
        arrow(
            "store.cassandra.erasure",
            "store",
            "store.erasure",
            "store.cassandra.driver",
            "store.cassandra.rows"),
        arrow(
            "store.cassandra.rows",
            "store",
            "store.erasure",
            "store.pages",
            "store.rows",
            "store.cassandra.driver"),
        Arguments.of("hourglass.store.sandbox..", new String[] {}),
        arrow("ingest..", "access", "http", "store"),
        arrow("ingest.decode", "access"),
        arrow("ingest.service", "access", "store", "ingest.decode"),
        arrow("ingest.stream", "access", "store", "ingest.decode"),
        arrow(
            "ingest.http",
            "access",
            "http",
            "store",
            "ingest.stream",
            "ingest.service",
            "ingest.decode"),
        arrow(
            "ingest.protocols..",
            "access",
            "http",
            "store",
            "ingest.service",
            "ingest.decode",
            "ingest.http"),
        arrow(
            "ingest.syslog", "access", "store", "ingest.stream", "ingest.service", "ingest.decode"),
        arrow(
            "ingest.kafka", "access", "store", "ingest.stream", "ingest.service", "ingest.decode"),
        arrow("query..", "access", "http", "store", "store.erasure"),
        arrow("load..", "command", "store"));
  }

  private static Arguments arrow(String room, String... below) {
    Stream<String> allowed = Stream.of(below).map("hourglass."::concat);
    return Arguments.of(
        "hourglass." + room, Stream.concat(Stream.of(GROUND), allowed).toArray(String[]::new));
  }

  /** A room of the embedded engine, and the rooms that it may use. */
  private static Arguments room(String name, String... rooms) {
    Stream<String> allowed = Stream.of(rooms).map("store.embedded."::concat);
    return arrow(
        "store.embedded." + name,
        Stream.concat(Stream.of("store", "store.erasure", "store.pages", "store.rows"), allowed)
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @MethodSource("arrows")
  void pointsOneWay(String module, String[] allowed) {
    DescribedPredicate<JavaClass> others =
        resideInAPackage("hourglass..")
            .and(not(resideInAPackage(module)))
            .and(not(belongToAnyOf(SHARED)))
            .and(not(resideInAnyPackage(allowed)));
    check(noClasses().that().resideInAPackage(module).should().dependOnClassesThat(others));
  }

  /** Each room of the query module, and the rooms below that it may use. */
  static Stream<Arguments> queryArrows() {
    return Stream.of(
        Arguments.of("values", new String[] {}),
        Arguments.of("where.json", new String[] {}),
        Arguments.of("filter", new String[] {"where.json", "line"}),
        Arguments.of("where", new String[] {"filter", "where.json", "line"}),
        Arguments.of("logql", new String[] {"filter"}),
        Arguments.of("line", new String[] {"where.json"}),
        Arguments.of("loki", new String[] {"", "encode", "filter", "line", "logql", "where.json"}),
        Arguments.of("fair", new String[] {""}),
        Arguments.of("encode", new String[] {"", "filter", "where.json"}),
        Arguments.of("typed", new String[] {"", "where", "where.json"}),
        Arguments.of("scan", new String[] {"", "fair", "encode", "filter", "where"}),
        Arguments.of("count", new String[] {"", "fair", "scan", "values", "where.json"}),
        Arguments.of("advice", new String[] {"", "fair", "scan"}),
        Arguments.of("tail", new String[] {"", "encode", "fair", "scan", "loki"}));
  }

  @ParameterizedTest
  @MethodSource("queryArrows")
  void queryRoomsPointDown(String room, String[] below) {
    roomPointsDown("hourglass.query", room, below);
  }

  @Test
  void questionsAreValues() {
    pointsOneWay(
        "hourglass.query",
        new String[] {"hourglass.bucketing..", "hourglass.store", "hourglass.query.values"});
  }

  /** Each room of the load generator, and the rooms below that it may use. */
  static Stream<Arguments> loadArrows() {
    return Stream.of(
        Arguments.of("command", new String[] {}),
        Arguments.of("event", new String[] {"command"}),
        Arguments.of("client", new String[] {"command", "event"}),
        Arguments.of("send", new String[] {"command", "event", "client"}),
        Arguments.of("importing", new String[] {"command", "event", "client", "send"}),
        Arguments.of("verify", new String[] {"command", "event", "client", "send"}),
        Arguments.of("bench", new String[] {"command", "event", "client", "send", "verify"}),
        Arguments.of("canary", new String[] {"command", "event", "client", "send", "verify"}),
        Arguments.of("lab", new String[] {"command", "client", "send"}));
  }

  @ParameterizedTest
  @MethodSource("loadArrows")
  void loadRoomsPointDown(String room, String[] below) {
    roomPointsDown("hourglass.load", room, below);
  }

  private void roomPointsDown(String module, String room, String[] below) {
    Stream<String> others =
        Stream.of("hourglass.access", "hourglass.http", "hourglass.command", "hourglass.store");
    Stream<String> rooms =
        Stream.of(below).map(name -> name.isEmpty() ? module : module + "." + name);
    pointsOneWay(
        module + "." + room,
        Stream.of(Stream.of(GROUND), others, rooms)
            .flatMap(Function.identity())
            .toArray(String[]::new));
  }

  /** Each room of the program, the modules that it may use, and the rooms below it. */
  static Stream<Arguments> programArrows() {
    String[] gates = {"access", "http", "config.gate"};
    return Stream.of(
        arrow("config.gate", gates),
        arrow("config.gate.tls", gates),
        arrow("config.gate.keys", "command", "access", "http", "config.gate"),
        arrow("config.gate.audit", gates),
        arrow("config.gate.auth", "access", "http", "config.gate", "config.gate.keys"),
        arrow(
            "config.settings",
            "access",
            "store..",
            "ingest..",
            "query..",
            "config.gate",
            "config.gate.tls",
            "config.gate.audit"),
        arrow(
            "config.server",
            "access",
            "http",
            "store..",
            "ingest..",
            "query..",
            "config.settings",
            "config.gate.."),
        arrow("config.backup", "command", "store.."),
        arrow("config.terminal", "command", "config.gate.tls"));
  }

  /** The command line is above the server, the settings and the gate, in this order. */
  @ParameterizedTest
  @MethodSource("programArrows")
  void programRoomsPointDown(String room, String[] below) {
    pointsOneWay(room, below);
  }

  @Test
  void transportsDependOnServicesAndNeverBack() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("hourglass.ingest.service", "hourglass.query")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "hourglass.ingest.http..",
                "hourglass.query.http..",
                "hourglass.query.loki.http.."));
  }

  /** A protocol knows the seam, and shares what several need in rooms below it. */
  @Test
  void protocolsDoNotKnowEachOther() {
    check(
        slices()
            .matching("hourglass.ingest.protocols.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(
                resideInAPackage("hourglass.ingest.protocols.."),
                resideInAnyPackage("hourglass.ingest.protocols.protobuf..")));
  }

  @Test
  void hasNoCycles() {
    check(slices().matching("hourglass.(**)").should().beFreeOfCycles());
  }

  @Test
  void vertxStaysInTransports() {
    onlyIn(
        "io.vertx..",
        "hourglass.http..",
        "hourglass.ingest.http..",
        "hourglass.ingest.protocols..",
        "hourglass.ingest.syslog..",
        "hourglass.query.http..",
        "hourglass.query.erasure.http..",
        "hourglass.query.loki.http..",
        "hourglass.load..",
        "hourglass.config..");
  }

  @Test
  void chronicleStaysInTheRowCache() {
    onlyIn("net.openhft..", "hourglass.store.rows.cache..");
  }

  @Test
  void theLanguageOfFiltersStaysInOnePackage() {
    onlyIn("dev.cel..", "hourglass.query.where..");
  }

  @Test
  void theDriverStaysInTheCassandraEngine() {
    onlyIn("com.datastax..", "hourglass.store.cassandra..");
  }

  @Test
  void settingsAndTheCommandLineStayOnTop() {
    onlyIn("com.typesafe.config..", "hourglass.config..");
    onlyIn("picocli..", "hourglass.command..", "hourglass.config..", "hourglass.load..");
    onlyIn("ch.qos.logback..", "hourglass.config..");
  }

  /** The sandbox reads where the JDK for Cassandra is, and tests tell processes their time. */
  @Test
  void onlyTheTopReadsTheEnvironment() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "hourglass.config..", "hourglass.store.sandbox..", "hourglass.testing..")
            .should()
            .callMethod(System.class, "getenv")
            .orShould()
            .callMethod(System.class, "getenv", String.class));
  }

  @Test
  void timeComesFromAClock() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                "hourglass.bucketing..",
                "hourglass.store..",
                "hourglass.ingest..",
                "hourglass.query..")
            .and()
            .resideOutsideOfPackage("hourglass.store.sandbox..") // starts servers, keeps no events
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(java.time.Clock.class, "systemUTC"));
  }

  private static void onlyIn(String library, String... packages) {
    check(
        classes()
            .that()
            .resideOutsideOfPackages(packages)
            .should()
            .onlyDependOnClassesThat(not(resideInAPackage(library))));
  }

  private static void check(ArchRule rule) {
    rule.check(program);
  }
}
