package hourglass.ingest.protocols.otlp;

import hourglass.bytes.JsonReader;
import hourglass.ingest.decode.Body;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Counts the records of a request in JSON; for metrics, their data points. Not thread-safe. */
final class JsonCount {
  private static final JsonFieldName DATA_POINTS = JsonFieldName.of("dataPoints");
  private static final List<JsonFieldName> DATA =
      List.of(
          JsonFieldName.of("gauge"),
          JsonFieldName.of("sum"),
          JsonFieldName.of("histogram"),
          JsonFieldName.of("exponentialHistogram"),
          JsonFieldName.of("summary"));

  private final Signal signal;
  private final byte[] b;
  private final JsonReader json;
  private long count;

  private JsonCount(Signal signal, Body body) {
    this.signal = signal;
    this.b = body.bytes();
    this.json = new JsonReader(b, body.length());
  }

  /**
   * Counts the records in a body.
   *
   * @throws hourglass.bytes.MalformedJsonException if it is not JSON
   */
  static long of(Signal signal, Body body) {
    JsonCount counter = new JsonCount(signal, body);
    counter.countAll();
    return counter.count;
  }

  private void countAll() {
    json.end(eachIn(json.start(), signal.resources, this::resource));
  }

  private int resource(int start) {
    return eachIn(start, signal.scopes, this::scope);
  }

  private int scope(int start) {
    return eachIn(start, signal.records, this::record);
  }

  private int record(int start) {
    return signal == Signal.METRICS && b[start] == '{' ? metric(start) : one(start);
  }

  private int metric(int start) {
    return json.members(
        start,
        value ->
            b[value] == '{' && isData() ? eachIn(value, DATA_POINTS, this::one) : json.skip(value));
  }

  private boolean isData() {
    for (JsonFieldName name : DATA) {
      if (name.isRead(json)) {
        return true;
      }
    }
    return false;
  }

  private int one(int start) {
    count++;
    return json.skip(start);
  }

  /** Reads the elements of an array in an object, and returns the end of the object. */
  private int eachIn(int start, JsonFieldName name, IntUnaryOperator element) {
    return json.members(
        start, value -> name.isRead(json) ? json.each(value, element) : json.skip(value));
  }
}
