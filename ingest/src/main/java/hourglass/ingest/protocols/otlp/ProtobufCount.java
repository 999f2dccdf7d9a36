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
  private long count;

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
    counter.in.each(from, to, Signal.RESOURCES, counter::resource);
    return counter.count;
  }

  private void resource(int from, int to) {
    in.each(from, to, Signal.SCOPES, this::scope);
  }

  private void scope(int from, int to) {
    in.each(from, to, Signal.RECORDS, signal == Signal.METRICS ? this::metric : this::one);
  }

  private void metric(int from, int to) {
    in.enter(from, to);
    while (in.next()) {
      boolean isData =
          switch (in.field()) {
            case GAUGE, SUM, HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY -> in.isRange();
            default -> false;
          };
      if (isData) {
        in.nested((at, end) -> in.each(at, end, DATA_POINTS, this::one));
      }
    }
  }

  private void one(int from, int to) {
    count++;
  }
}
