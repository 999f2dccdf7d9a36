package hourglass.ingest.protocols.otlp;

import hourglass.ingest.protocols.protobuf.ProtobufReader;

/**
 * Counts the records of a request in protocol buffers; for metrics, their data points. Not
 * thread-safe.
 */
final class ProtobufCount {
  // These are the fields of Metric that contain data points, which are field 1 in each.
  private static final int GAUGE = 5;
  private static final int SUM = 7;
  private static final int HISTOGRAM = 9;
  private static final int EXPONENTIAL_HISTOGRAM = 10;
  private static final int SUMMARY = 11;
  private static final int DATA_POINTS = 1;

  private final Signal signal;
  private final ProtobufReader in;

  private ProtobufCount(Signal signal, byte[] b) {
    this.signal = signal;
    this.in = new ProtobufReader(b);
  }

  /**
   * Counts the records in {@code [from, to)}.
   *
   * @throws hourglass.ingest.protocols.protobuf.MalformedProtobufException if that is no request
   */
  static long of(Signal signal, byte[] b, int from, int to) {
    ProtobufCount counter = new ProtobufCount(signal, b);
    return counter.sum(from, to, Signal.RESOURCES, counter::resource);
  }

  private long resource(int from, int to) {
    return sum(from, to, Signal.SCOPES, this::scope);
  }

  private long scope(int from, int to) {
    return sum(from, to, Signal.RECORDS, signal == Signal.METRICS ? this::metric : (f, t) -> 1);
  }

  private long metric(int from, int to) {
    long points = 0;
    in.enter(from, to);
    while (in.next()) {
      boolean isData =
          switch (in.field()) {
            case GAUGE, SUM, HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY -> in.isRange();
            default -> false;
          };
      if (isData) {
        long rest = in.window();
        points += sum(in.from(), in.to(), DATA_POINTS, (f, t) -> 1);
        in.resume(rest);
      }
    }
    return points;
  }

  private interface Counter {
    long count(int from, int to);
  }

  /** Returns the sum of the counts of the messages in a field. */
  private long sum(int from, int to, int field, Counter counter) {
    long sum = 0;
    in.enter(from, to);
    while (in.next()) {
      if (in.field() == field && in.isRange()) {
        long rest = in.window();
        sum += counter.count(in.from(), in.to());
        in.resume(rest);
      }
    }
    return sum;
  }
}
