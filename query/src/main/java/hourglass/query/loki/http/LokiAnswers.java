package hourglass.query.loki.http;

import com.google.common.collect.Iterators;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonText;
import hourglass.query.AnswerFacts;
import hourglass.query.Counted;
import hourglass.query.TypeCount;
import hourglass.query.http.JsonParts.Part;
import hourglass.query.logql.Quantities;
import hourglass.query.loki.Labels;
import hourglass.query.loki.LogStreams;
import hourglass.query.loki.Vector;
import hourglass.query.loki.Vector.Series;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** The bodies of answers in Loki's form. */
final class LokiAnswers {
  private static final int MILLIS_PER_SECOND = 1_000;

  private LokiAnswers() {}

  private static Part part(byte[] bytes) {
    return json -> ((OutputStream) json.getOutputTarget()).write(bytes);
  }

  private static Part part(String text) {
    return part(new JsonText().raw(text).toBytes());
  }

  static Iterator<Part> one(JsonText body) {
    return Iterators.singletonIterator(part(body.toBytes()));
  }

  /** Returns an envelope that contains an array in its data. */
  private static Iterator<Part> array(
      String before, Iterator<byte[]> elements, String after, AnswerFacts facts) {
    byte[] comma = {','};
    return envelope(
        before,
        Iterators.concat(
            Iterators.transform(
                elements,
                element ->
                    elements.hasNext()
                        ? Iterators.forArray(element, comma)
                        : Iterators.singletonIterator(element))),
        after,
        facts);
  }

  private static Iterator<Part> envelope(
      String before, Iterator<byte[]> pieces, String after, AnswerFacts facts) {
    return Iterators.concat(
        Iterators.singletonIterator(part("{\"status\":\"success\"," + warnings(facts) + before)),
        Iterators.transform(pieces, LokiAnswers::part),
        Iterators.singletonIterator(part(after)));
  }

  /** Returns warnings about parts of hours that the store does not have; clients show them. */
  private static String warnings(AnswerFacts facts) {
    List<String> warnings = new ArrayList<>();
    if (!facts.gaps().missing().isEmpty()) {
      warnings.add("the store lacks " + String.join(", ", facts.gaps().missing()));
    }
    if (!facts.gaps().dropped().isEmpty()) {
      warnings.add("dropped: " + String.join(", ", facts.gaps().dropped().names()));
    }
    return warnings.isEmpty() ? "" : "\"warnings\":" + strings(warnings) + ",";
  }

  static Iterator<Part> streams(Counted<LogStreams> counted, boolean categorizes) {
    String flags = categorizes ? ",\"encodingFlags\":[\"categorize-labels\"]" : "";
    return envelope(
        "\"data\":{\"resultType\":\"streams\"" + flags + ",\"result\":[",
        counted.value().pieces(),
        "],\"stats\":{}}}",
        counted.facts());
  }

  static Iterator<Part> matrix(Counted<Vector> counted, LokiMetrics.Times times) {
    return array(
        "\"data\":{\"resultType\":\"matrix\",\"result\":[",
        Iterators.transform(counted.value().series().iterator(), series -> matrix(series, times)),
        "],\"stats\":{}}}",
        counted.facts());
  }

  private static byte[] matrix(Series series, LokiMetrics.Times times) {
    JsonText out = new JsonText().raw("{\"metric\":");
    series.labels().write(out);
    out.raw(",\"values\":[");
    String separator = "";
    for (int t = 0; t < times.count(); t++) {
      if (series.has(t)) {
        out.raw(separator + sample(times.ticks(t), series.value(t)));
        separator = ",";
      }
    }
    return out.raw("]}").toBytes();
  }

  static Iterator<Part> vector(Counted<Vector> counted, LokiMetrics.Times times) {
    return array(
        "\"data\":{\"resultType\":\"vector\",\"result\":[",
        Iterators.transform(
            counted.value().series().iterator(),
            series -> {
              JsonText out = new JsonText().raw("{\"metric\":");
              series.labels().write(out);
              String sample = sample(times.ticks(0), series.value(0));
              return out.raw(",\"value\":" + sample + "}").toBytes();
            }),
        "],\"stats\":{}}}",
        counted.facts());
  }

  static Iterator<Part> scalar(double value, LokiMetrics.Times times) {
    return one(
        new JsonText()
            .raw("{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":")
            .raw(sample(times.ticks(0), value))
            .raw(",\"stats\":{}}}"));
  }

  /** Returns a sample: its time in seconds, to the millisecond, and its value as text. */
  private static String sample(long ticks, double value) {
    long millis = Math.floorDiv(ticks - Ticks.UNIX_EPOCH, Ticks.PER_MILLI);
    long rest = Math.floorMod(millis, MILLIS_PER_SECOND);
    String digits = Long.toString(MILLIS_PER_SECOND + rest).substring(1); // with leading zeros
    String fraction = rest == 0 ? "" : "." + digits.replaceFirst("0+$", "");
    return "["
        + Math.floorDiv(millis, MILLIS_PER_SECOND)
        + fraction
        + ",\""
        + Quantities.text(value)
        + "\"]";
  }

  /** Returns a list of names or of values. */
  static Iterator<Part> list(Collection<String> texts, AnswerFacts facts) {
    if (texts.isEmpty()) { // as Loki does
      return one(new JsonText().raw("{" + warnings(facts) + "\"status\":\"success\"}"));
    }
    return array(
        "\"data\":[",
        Iterators.transform(texts.iterator(), text -> new JsonText().string(text).toBytes()),
        "]}",
        facts);
  }

  static Iterator<Part> series(Collection<Labels> streams, AnswerFacts facts) {
    return array(
        "\"data\":[",
        Iterators.transform(
            streams.iterator(),
            labels -> {
              JsonText out = new JsonText();
              labels.write(out);
              return out.toBytes();
            }),
        "]}",
        facts);
  }

  static Iterator<Part> stats(Counted<List<TypeCount>> counted) {
    List<TypeCount> types = counted.value();
    return one(
        new JsonText()
            .raw("{" + warnings(counted.facts()))
            .raw("\"streams\":" + types.size())
            .raw(",\"chunks\":" + counted.facts().rowsAsked())
            .raw(",\"bytes\":" + types.stream().mapToLong(TypeCount::bytes).sum())
            .raw(",\"entries\":" + types.stream().mapToLong(TypeCount::count).sum())
            .raw("}"));
  }

  /** Returns an array under a name, besides a limit, without an envelope. */
  static Iterator<Part> limited(String name, JsonText array, int limit, AnswerFacts facts) {
    return one(
        new JsonText()
            .raw("{" + warnings(facts) + "\"" + name + "\":")
            .append(array)
            .raw(",\"limit\":" + limit + "}"));
  }

  static JsonText strings(Collection<String> texts) {
    JsonText array = new JsonText().raw("[");
    String separator = "";
    for (String text : texts) {
      array.raw(separator).string(text);
      separator = ",";
    }
    return array.raw("]");
  }

  /** Returns labels with the numbers of their values. */
  static Iterator<Part> detectedLabels(Counted<Map<String, Long>> cardinalities) {
    String warnings = warnings(cardinalities.facts());
    JsonText out = new JsonText().raw("{" + warnings + "\"detectedLabels\":[");
    String separator = "";
    for (Map.Entry<String, Long> label : cardinalities.value().entrySet()) {
      out.raw(separator).raw("{\"label\":").string(label.getKey());
      out.raw(",\"cardinality\":" + label.getValue() + "}");
      separator = ",";
    }
    return one(out.raw("]}"));
  }
}
