package hourglass.query.http;

import com.fasterxml.jackson.core.JsonGenerator;
import hourglass.query.Counted;
import hourglass.query.Stats;
import hourglass.query.values.NumberSummary;
import hourglass.query.values.TopValues;
import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The bodies of {@code /stats} and {@code /top}. */
final class FieldAnswers {
  /** A double is exact for whole numbers up to this one. */
  private static final long WHOLE_MAX = 1L << 53;

  private record Figure(String name, ToDoubleFunction<NumberSummary.Distribution> of) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("min", NumberSummary.Distribution::min),
          new Figure("max", NumberSummary.Distribution::max),
          new Figure("mean", NumberSummary.Distribution::mean),
          new Figure("p50", NumberSummary.Distribution::p50),
          new Figure("p90", NumberSummary.Distribution::p90),
          new Figure("p99", NumberSummary.Distribution::p99),
          new Figure("p99.9", NumberSummary.Distribution::p999));

  private FieldAnswers() {}

  static AnswerParts stats(Counted<Stats> counted) {
    Stats stats = counted.value();
    return new JsonParts()
        .add(json -> json.writeStringField("field", "data." + stats.path()))
        .array("series", stats.series(), FieldAnswers::writeSeries)
        .add(json -> json.writeNumberField("quantile_error_max", NumberSummary.QUANTILE_ERROR_MAX))
        .facts(counted.facts());
  }

  private static void writeSeries(JsonGenerator json, Stats.Series series) throws IOException {
    NumberSummary summary = series.summary();
    json.writeStartObject();
    if (!series.type().isEmpty()) {
      json.writeStringField("type", series.type());
    }
    json.writeNumberField("events", summary.events());
    json.writeNumberField("absent", summary.absent());
    json.writeNumberField("not_numeric", summary.notNumeric());
    json.writeNumberField("count", summary.count());
    NumberSummary.Distribution numbers = summary.numbers();
    for (Figure figure : FIGURES) {
      json.writeFieldName(figure.name);
      if (numbers == null) {
        json.writeNull();
      } else {
        writeNumber(json, figure.of.applyAsDouble(numbers));
      }
    }
    json.writeEndObject();
  }

  /** Writes whole numbers without a decimal point. */
  private static void writeNumber(JsonGenerator json, double number) throws IOException {
    long whole = (long) number;
    if (whole == number && Math.abs(whole) <= WHOLE_MAX) {
      json.writeNumber(whole);
    } else {
      json.writeNumber(number);
    }
  }

  static AnswerParts top(String path, Counted<TopValues> counted) {
    TopValues top = counted.value();
    return new JsonParts()
        .add(json -> json.writeStringField("field", "data." + path))
        .array("values", top.values(), FieldAnswers::writeValue)
        .add(json -> writeRest(json, top))
        .facts(counted.facts());
  }

  private static void writeValue(JsonGenerator json, TopValues.Value value) throws IOException {
    json.writeStartObject();
    json.writeFieldName("value");
    json.writeRawValue(value.json());
    json.writeNumberField("count", value.count());
    json.writeNumberField("error_max", value.errorMax());
    json.writeEndObject();
  }

  private static void writeRest(JsonGenerator json, TopValues top) throws IOException {
    json.writeNumberField("events", top.events());
    json.writeNumberField("absent", top.absent());
    json.writeNumberField("nested", top.nested());
    json.writeNumberField("too_long", top.tooLong());
    json.writeBooleanField("exact", top.isExact());
    if (top.isExact()) {
      json.writeNumberField("distinct", top.distinct());
    } else {
      json.writeNullField("distinct");
    }
    json.writeNumberField("others_max", top.othersMax());
  }
}
