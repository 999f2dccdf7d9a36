package hourglass.program.shippers;

import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A client as people run it.
 *
 * @param kind how its process is started
 * @param name also in send.mjs, Send.java or the name of its configuration
 * @param answers of its protocol
 * @param payload of its events: JSON in single quotes with TEXT and NUMBER, without fields that
 *     hold a time, a process or a host
 * @param givesUp the faults in which the client itself loses messages
 */
record Shipper(Kind kind, String name, Answers answers, String payload, Set<Fault> givesUp) {
  /** The programs that send. */
  enum Kind {
    /** All of them in one process of send.mjs. */
    NODE,
    /** All of them in one process of Send.java. */
    JAVA,
    /** In a process of Send.java with OpenTelemetry's agent in it. */
    AGENT,
    /** Each a daemon of Debian that reads a file of lines. */
    DAEMON
  }

  /** When the server tells what became of messages. */
  enum Answers {
    AT_ONCE,
    /** A request may last for hours, so one that cannot be stored waits. */
    LATE,
    NONE
  }

  /** What happens while it sends. */
  enum Fault {
    NONE,
    ANSWER_LOST,
    KILLED,
    OVERLOAD
  }

  /** Of a message, wherever it stands in a request or an event. */
  static final Pattern NUMBER = Pattern.compile("hello event (\\d{6})");

  static Shipper http(Kind kind, String name, String payload, Fault... givesUp) {
    return new Shipper(kind, name, Answers.AT_ONCE, payload, Set.of(givesUp));
  }

  static Shipper stream(Kind kind, String name, String payload) {
    return new Shipper(kind, name, Answers.LATE, payload, Set.of());
  }

  /** Nothing tells its sender what arrived, so a connection that breaks may cost messages. */
  static Shipper syslog(Kind kind, String name, String payload) {
    return new Shipper(kind, name, Answers.NONE, payload, Set.of(Fault.KILLED, Fault.OVERLOAD));
  }

  static String text(int number) {
    return "hello event %06d".formatted(number);
  }

  JsonObject payload(int number) {
    return new JsonObject(
        payload
            .replace('\'', '"')
            .replace("TEXT", text(number))
            .replace("NUMBER", Integer.toString(number)));
  }

  /** The type of its events in a run: it names its index, service or label so. */
  String type(Fault fault) {
    return name + "-" + fault;
  }
}
