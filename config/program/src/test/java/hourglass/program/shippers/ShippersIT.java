package hourglass.program.shippers;

import static hourglass.program.shippers.Shipper.Fault.ANSWER_LOST;
import static hourglass.program.shippers.Shipper.Fault.KILLED;
import static hourglass.program.shippers.Shipper.Fault.OUTAGE;
import static hourglass.program.shippers.Shipper.Fault.OVERLOAD;
import static hourglass.program.shippers.Shipper.Kind.AGENT;
import static hourglass.program.shippers.Shipper.Kind.DAEMON;
import static hourglass.program.shippers.Shipper.Kind.JAVA;
import static hourglass.program.shippers.Shipper.Kind.NODE;
import static hourglass.program.shippers.Shipper.forgetful;
import static hourglass.program.shippers.Shipper.http;
import static hourglass.program.shippers.Shipper.stream;
import static hourglass.program.shippers.Shipper.syslog;

import hourglass.program.shippers.Shipper.Fault;
import hourglass.testing.Tier;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Unmodified clients of other logs. Each message is stored once, with the payload of
 * docs/shippers.md, through faults too, unless the client itself gives up. The long form has
 * clients in Java and daemons of Debian too. {@code -Dhourglass.shippers=NAME,...} tries some.
 */
@Order(6)
@Tag(Tier.IN_FULL)
class ShippersIT {
  private static final String OTEL =
      "{'body':'TEXT','severity':'INFO','severity_number':9,'attributes':{'number':NUMBER}}";

  private static final String LOGGEN = "{'message':'TEXT','severity':'notice','hostname':'host1'}";

  private static final List<Shipper> SHIPPERS =
      List.of(
          http(
              NODE,
              "winston-http",
              "{'level':'info','message':'TEXT','number':NUMBER}",
              KILLED,
              OVERLOAD,
              OUTAGE),
          http(NODE, "elasticsearch-js", "{'message':'TEXT','number':NUMBER,'tags':['a','ü']}"),
          http(NODE, "elasticsearch-js-gzip", "{'message':'TEXT','number':NUMBER}"),
          http(
              NODE,
              "pino-elasticsearch",
              "{'msg':'TEXT','number':NUMBER,'level':30}",
              ANSWER_LOST,
              KILLED,
              OVERLOAD,
              OUTAGE),
          http(
              NODE,
              "winston-elasticsearch",
              "{'message':'TEXT','severity':'info','fields':{'number':NUMBER}}"),
          http(
              NODE,
              "pino-loki",
              "{'msg':'TEXT','number':NUMBER,'_loki':{'labels':{'level':'info'}}}",
              KILLED,
              OVERLOAD,
              OUTAGE),
          http(NODE, "winston-loki", "{'labels':{'level':'info'}}"),
          http(NODE, "opentelemetry-js-http", OTEL),
          http(NODE, "opentelemetry-js-proto", OTEL),
          http(
              JAVA,
              "elasticsearch-java",
              "{'message':'TEXT','number':NUMBER}",
              ANSWER_LOST,
              KILLED,
              OVERLOAD,
              OUTAGE),
          http(
              JAVA,
              "opensearch-java",
              "{'message':'TEXT','number':NUMBER}",
              ANSWER_LOST,
              KILLED,
              OVERLOAD,
              OUTAGE),
          http(JAVA, "logback-elasticsearch", "{'message':'TEXT','severity':'INFO'}"),
          http(JAVA, "loki4j", "{'metadata':{'level':'INFO'}}"),
          http(JAVA, "opentelemetry-java", OTEL, OVERLOAD, OUTAGE),
          http(AGENT, "opentelemetry-agent", "{'body':'TEXT','severity':'INFO'}", OVERLOAD, OUTAGE),
          forgetful(NODE, "winston-syslog", "{'severity':'info','facility':'local0'}"),
          forgetful(JAVA, "log4j2-syslog", "{'message':'TEXT','facility':'local0'}"),
          syslog(
              DAEMON, "rsyslog-tcp", "{'message':'TEXT','severity':'notice','facility':'local0'}"),
          syslog(
              DAEMON, "syslog-ng-tcp", "{'message':'TEXT','severity':'notice','facility':'user'}"),
          forgetful(DAEMON, "loggen-tcp", LOGGEN),
          forgetful(
              DAEMON, "logger-tcp", "{'message':'TEXT','severity':'notice','facility':'user'}"),
          http(DAEMON, "syslog-ng-http", "{'MESSAGE':'TEXT'}"),
          stream(DAEMON, "systemd-journal-upload", "{'MESSAGE':'TEXT','PRIORITY':'6'}"),
          http(DAEMON, "rsyslog-elasticsearch", "{'message':'TEXT','severity':'notice'}"),
          http(DAEMON, "syslog-ng-elasticsearch", "{'MESSAGE':'TEXT'}"));

  /** Their proxies cannot look into what they pass, so these have no faults. */
  private static final List<Shipper> OVER_TLS =
      List.of(
          http(NODE, "elasticsearch-js", "{'message':'TEXT','number':NUMBER,'tags':['a','ü']}"),
          syslog(
              DAEMON, "rsyslog-tls", "{'message':'TEXT','severity':'notice','facility':'local0'}"),
          syslog(
              DAEMON, "syslog-ng-tls", "{'message':'TEXT','severity':'notice','facility':'user'}"),
          syslog(DAEMON, "loggen-tls", LOGGEN));

  private static final List<String> SOME =
      List.of(System.getProperty("hourglass.shippers", "").split(","));

  @TempDir private static Path folder;

  private static ShipperTrial trial;

  @BeforeAll
  static void start() throws Exception {
    trial = new ShipperTrial(folder, tried(SHIPPERS), null);
  }

  private static List<Shipper> tried(List<Shipper> all) {
    return all.stream().filter(ShippersIT::isTried).toList();
  }

  private static boolean isTried(Shipper shipper) {
    return SOME.get(0).isEmpty()
        ? shipper.kind() == NODE || Tier.current() == Tier.LONGEST
        : SOME.contains(shipper.name());
  }

  @AfterAll
  static void stop() {
    trial.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyMessageIsStoredOnce(Fault fault) throws Exception {
    trial.run(fault);
  }

  @Test
  void everyMessageArrivesOverTls(@TempDir Path own) throws Exception {
    TlsParties parties = new TlsParties(own);
    try (ShipperTrial overTls = new ShipperTrial(own, tried(OVER_TLS), parties)) {
      overTls.run(Fault.NONE);
    }
  }
}
