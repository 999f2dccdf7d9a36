package hourglass.ingest.protocols.splunk;

import hourglass.bytes.JsonWriter;
import hourglass.bytes.Rfc3339;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.http.ProtocolDecoder;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * A request of lines of text, which become objects such as those of events. The values of the
 * parameters are added to each line.
 */
final class RawRequest extends ProtocolDecoder {
  private static final JsonWriter.Key EVENT = JsonWriter.Key.of("event");
  private static final List<String> PARAMETERS = List.of("host", "source", "sourcetype", "index");

  private final HttpServerRequest request;

  RawRequest(HttpServerRequest request) {
    this.request = request;
  }

  /** A field that all lines get. */
  private record Field(JsonWriter.Key key, String value) {}

  @Override
  public void convert(Body body, MultiMap headers, ConvertedEvents events) {
    MultiMap parameters = request.params();
    List<Field> fields = new ArrayList<>();
    for (String name : PARAMETERS) {
      String value = parameters.get(name);
      if (value != null) {
        fields.add(new Field(JsonWriter.Key.of(name), value));
      }
    }
    String type = SplunkCollector.type(parameters.get("sourcetype"), parameters.get("source"));
    byte[] b = body.bytes();
    for (int from = 0; from < body.length(); ) {
      int end = from;
      while (end < body.length() && b[end] != '\n') {
        end++;
      }
      int to = end > from && b[end - 1] == '\r' ? end - 1 : end;
      if (to > from) {
        JsonWriter json = events.payload().beginObject().key(EVENT).string(b, from, to);
        fields.forEach(field -> json.key(field.key).string(field.value));
        json.endObject();
        events.add(type, Rfc3339.NOT_A_TIME, null);
      }
      from = end + 1;
    }
  }

  @Override
  public boolean mustHaveEvents() {
    return true;
  }

  @Override
  public void answer(RoutingContext ctx, Verdicts verdicts) {
    SplunkCollector.answer(ctx, verdicts);
  }
}
