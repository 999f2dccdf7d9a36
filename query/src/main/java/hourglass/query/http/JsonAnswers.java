package hourglass.query.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.query.Hits;
import hourglass.query.Plan;
import hourglass.query.QueryOptions;
import hourglass.query.RowFill;
import hourglass.query.TypeCount;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The bodies of the answers that are one JSON object. */
final class JsonAnswers {
  private static final JsonFactory JSON = new JsonFactory();

  /** Shares of a target are told to four digits. */
  private static final double FILL_DIGITS = 10_000;

  private JsonAnswers() {}

  /** Writes the fields of an object. */
  @FunctionalInterface
  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  static byte[] plan(Plan plan) {
    return object(
        json -> {
          json.writeNumberField("hours", plan.hours());
          json.writeNumberField("rows", plan.rows());
          json.writeNumberField("columns", plan.columns());
          json.writeNumberField("bytes", plan.bytes());
        });
  }

  static byte[] hits(Hits hits) {
    return object(
        json -> {
          json.writeNumberField("step_ms", hits.stepMillis());
          json.writeStringField("from", Ticks.text(hits.range().fromTicks()));
          json.writeStringField("to", Ticks.text(hits.range().toTicks()));
          json.writeArrayFieldStart("series");
          for (Hits.Series series : hits.series()) {
            writeSeries(json, series);
          }
          json.writeEndArray();
          json.writeNumberField("total", hits.total());
          json.writeBooleanField("complete", true);
        });
  }

  private static void writeSeries(JsonGenerator json, Hits.Series series) throws IOException {
    json.writeStartObject();
    if (!series.type().isEmpty()) {
      json.writeStringField("type", series.type());
    }
    json.writeFieldName("counts");
    json.writeArray(series.counts(), 0, series.counts().length);
    json.writeEndObject();
  }

  static byte[] types(List<TypeCount> types) {
    return object(
        json -> {
          json.writeArrayFieldStart("types");
          for (TypeCount type : types) {
            json.writeStartObject();
            json.writeStringField("type", type.type());
            json.writeNumberField("count", type.count());
            json.writeNumberField("bytes", type.bytes());
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeBooleanField("complete", true);
        });
  }

  static byte[] rows(List<RowFill> rows, QueryOptions options) {
    return object(
        json -> {
          json.writeArrayFieldStart("rows");
          for (RowFill row : rows) {
            writeRow(json, row, options);
          }
          json.writeEndArray();
          json.writeBooleanField("complete", true);
        });
  }

  private static void writeRow(JsonGenerator json, RowFill row, QueryOptions options)
      throws IOException {
    RowKey key = row.entry().row();
    json.writeStartObject();
    json.writeStringField("row", key.toString());
    json.writeStringField("type", key.type());
    json.writeNumberField("shard", key.shard());
    json.writeNumberField("columns", row.columns());
    json.writeNumberField("bytes", row.bytes());
    json.writeStringField("first", Ticks.text(row.entry().first().ticks()));
    json.writeStringField("last", Ticks.text(row.entry().last().ticks()));
    json.writeObjectFieldStart("target");
    json.writeNumberField("columns", options.targetColumns());
    json.writeNumberField("bytes", options.targetBytes());
    json.writeEndObject();
    json.writeNumberField("fill", Math.round(row.fill() * FILL_DIGITS) / FILL_DIGITS);
    json.writeBooleanField("sealed", row.entry().sealed());
    json.writeEndObject();
  }

  private static byte[] object(Fields fields) {
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
