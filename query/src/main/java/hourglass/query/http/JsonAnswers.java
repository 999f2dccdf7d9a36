package hourglass.query.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import hourglass.bucketing.Ticks;
import hourglass.query.Counted;
import hourglass.query.Hits;
import hourglass.query.Plan;
import hourglass.query.TimeRange;
import hourglass.query.TooCostlyException;
import hourglass.query.TypeCount;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;

/** The bodies of answers that are one JSON object. */
final class JsonAnswers {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonAnswers() {}

  static AnswerParts plan(Plan plan, List<String> missing) {
    JsonParts parts = new JsonParts().add(json -> writePlan(json, plan));
    return missing.isEmpty() ? parts : parts.add(json -> writeComplete(json, missing));
  }

  private static void writePlan(JsonGenerator json, Plan plan) throws IOException {
    json.writeNumberField("hours", plan.hours());
    json.writeNumberField("rows", plan.rows());
    json.writeNumberField("columns", plan.columns());
    json.writeNumberField("bytes", plan.bytes());
  }

  /** A refusal (RFC 9457) with the cost of the query, and the range and types that would fit. */
  static byte[] problem(int status, TooCostlyException costs) {
    return object(
        json -> {
          json.writeStringField("type", "about:blank");
          json.writeStringField("title", HttpResponseStatus.valueOf(status).reasonPhrase());
          json.writeNumberField("status", status);
          json.writeStringField("detail", costs.getMessage());
          json.writeStringField("bound", costs.bound());
          json.writeNumberField("allowed", costs.allowed());
          json.writeObjectFieldStart("plan");
          writePlan(json, costs.plan());
          json.writeEndObject();
          TimeRange range = costs.fittingRange();
          if (range == null) {
            json.writeNullField("fits");
          } else {
            json.writeObjectFieldStart("fits");
            json.writeStringField("from", Ticks.text(range.fromTicks()));
            json.writeStringField("to", Ticks.text(range.toTicks()));
            json.writeEndObject();
          }
          json.writeArrayFieldStart("types_that_fit");
          for (String type : costs.fittingTypes()) {
            json.writeString(type);
          }
          json.writeEndArray();
        });
  }

  static AnswerParts hits(Counted<Hits> counted) {
    Hits hits = counted.value();
    return new JsonParts()
        .add(
            json -> {
              json.writeNumberField("step_ms", hits.stepMillis());
              json.writeStringField("from", Ticks.text(hits.range().fromTicks()));
              json.writeStringField("to", Ticks.text(hits.range().toTicks()));
            })
        .array("series", hits.series(), JsonAnswers::series)
        .add(json -> json.writeNumberField("total", hits.total()))
        .facts(counted.facts());
  }

  private static Iterator<JsonParts.Part> series(Hits.Series series) {
    return new JsonParts()
        .add(
            json -> {
              json.writeStartObject();
              if (!series.type().isEmpty()) {
                json.writeStringField("type", series.type());
              }
            })
        .numbers("counts", series.counts())
        .add(JsonGenerator::writeEndObject)
        .iterator();
  }

  static AnswerParts types(Counted<List<TypeCount>> types) {
    return new JsonParts()
        .array("types", types.value(), JsonAnswers::writeType)
        .facts(types.facts());
  }

  private static void writeType(JsonGenerator json, TypeCount type) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", type.type());
    json.writeNumberField("count", type.count());
    json.writeNumberField("bytes", type.bytes());
    json.writeEndObject();
  }

  /** Writes whether an answer is complete; {@code missing} lists the parts that the store lacks. */
  static void writeComplete(JsonGenerator json, List<String> missing) throws IOException {
    if (!missing.isEmpty()) {
      json.writeArrayFieldStart("missing");
      for (String part : missing) {
        json.writeString(part);
      }
      json.writeEndArray();
    }
    json.writeBooleanField("complete", missing.isEmpty());
  }

  private static byte[] object(JsonParts.Part fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
