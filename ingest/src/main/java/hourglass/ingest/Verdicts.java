package hourglass.ingest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * What became of a request's events.
 *
 * @param accepted how many are stored
 * @param rejected how many are not, by their own fault
 * @param untimed how many of the accepted came without a time and got that of receipt
 * @param errors the first of the rejected, in the order sent
 */
public record Verdicts(int accepted, int rejected, int untimed, List<ItemError> errors) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * One refused event.
   *
   * @param index its place in the order sent, from 0
   * @param reason what was wrong and what is allowed
   */
  public record ItemError(int index, String reason) {}

  public Verdicts {
    errors = List.copyOf(errors);
  }

  /** The answer to the sender, as JSON. */
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
