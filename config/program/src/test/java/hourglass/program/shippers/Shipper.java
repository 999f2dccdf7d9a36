package hourglass.program.shippers;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
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
    /** Runs in a process of Send.java that contains OpenTelemetry's agent. */
    AGENT,
    /** Each a daemon of Debian that reads a file of lines. */
    DAEMON
  }

  /** The time at which the server answers. */
  enum Answers {
    AT_ONCE,
    /** A request may last for hours, so one that cannot be stored waits. */
    LATE,
    NONE
  }

  /** A fault that happens while the shipper sends. */
  enum Fault {
    NONE,
    ANSWER_LOST,
    KILLED,
    OVERLOAD,
    /** Nothing listens while more messages come than a client holds in memory by default. */
    OUTAGE
  }

  /** rsyslog leaves out up to four, and sends one twice, whatever it sends to. */
  private static final int UNCERTAIN = 20;

  /** A little less than its attempts take. */
  private static final Duration FIVE_ATTEMPTS = Duration.ofSeconds(10);

  /** Messages that are sent before it may send the rest. */
  static final int FIRST = 100;

  /** The number of a message, anywhere in a request or an event. */
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

  /** Besides, it keeps nothing while nothing listens. */
  static Shipper forgetful(Kind kind, String name, String payload) {
    Set<Fault> faults = Set.of(Fault.KILLED, Fault.OVERLOAD, Fault.OUTAGE);
    return new Shipper(kind, name, Answers.NONE, payload, faults);
  }

  /**
   * How many messages it sends. In an outage it gets more than syslog-ng's 10,000 in memory, or
   * OpenTelemetry's 2,048 and the batch under way.
   */
  int messages(Fault fault) {
    return fault == Fault.OUTAGE ? (kind == Kind.DAEMON ? 12_100 : 3_000) : 2 * FIRST;
  }

  /**
   * How many messages may be lost, and how many stored twice, although it does not give up: no
   * sender of syslog knows what became of those under way when its connection broke.
   */
  int uncertain(Fault fault) {
    return fault == Fault.OUTAGE && answers == Answers.NONE ? UNCERTAIN : 0;
  }

  /** How many messages are stored, if it does not give up. */
  int least(Fault fault) {
    return messages(fault) - uncertain(fault);
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

  /**
   * Whether its client still tries after so long an outage. OpenTelemetry for JavaScript gives a
   * batch up after five attempts within 13 s, and a slow machine can make an outage longer.
   */
  boolean outlasts(Duration outage) {
    return !name.startsWith("opentelemetry-js") || outage.compareTo(FIVE_ATTEMPTS) < 0;
  }

  /** The type of its events in a run: it names its index, service or label so. */
  String type(Fault fault) {
    return name + "-" + fault;
  }
}
