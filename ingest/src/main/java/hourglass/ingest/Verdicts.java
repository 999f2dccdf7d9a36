package hourglass.ingest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The verdicts on the items of a request.
 *
 * @param untimed accepted events without a time of their own
 * @param errors the first rejected items, in the order sent
 */
public record Verdicts(int accepted, int rejected, int untimed, List<ItemError> errors) {
  private static final JsonFactory JSON = new JsonFactory();

  /** One rejected item; its reason names the problem and the allowed values. */
  public record ItemError(int index, String reason) {}

  public Verdicts {
    errors = List.copyOf(errors);
  }

  public byte[] toJson() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(128);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      json.writeNumberField("accepted", accepted);
      json.writeNumberField("rejected", rejected);
      if (untimed > 0) {
        json.writeNumberField("untimed", untimed);
      }
      json.writeArrayFieldStart("errors");
      for (ItemError error : errors) {
        json.writeStartObject();
        json.writeNumberField("index", error.index);
        json.writeStringField("reason", error.reason);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("an array takes all bytes", e);
    }
    return out.toByteArray();
  }
}
