package hourglass.query.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.collect.Iterators;
import hourglass.bucketing.RowKey;
import hourglass.query.AnswerFacts;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/** One JSON object, written in parts, in the order of their addition. */
public final class JsonParts {
  private static final int NUMBERS_A_PART = 1_024;

  private final List<Iterator<Part>> all = new ArrayList<>();

  /**
   * A part of the object. It writes some fields, or some elements of an array that other parts open
   * and close.
   */
  @FunctionalInterface
  public interface Part {
    void write(JsonGenerator json) throws IOException;
  }

  JsonParts add(Part part) {
    all.add(Iterators.singletonIterator(part));
    return this;
  }

  JsonParts fields(JsonObject fields) {
    return add(
        json -> {
          for (Map.Entry<String, Object> field : fields) {
            json.writeFieldName(field.getKey());
            json.writeRawValue(Json.encode(field.getValue()));
          }
        });
  }

  <T> JsonParts array(String field, Iterable<T> elements, Function<? super T, String> toJson) {
    return array(
        field,
        Iterators.transform(
            elements.iterator(), element -> json -> json.writeRawValue(toJson.apply(element))));
  }

  <T> JsonParts objects(
      String field, Iterable<T> elements, Function<? super T, Iterator<Part>> parts) {
    return array(field, Iterators.concat(Iterators.transform(elements.iterator(), parts::apply)));
  }

  Iterator<Part> object() {
    all.add(0, Iterators.singletonIterator(JsonGenerator::writeStartObject));
    return Iterators.concat(add(JsonGenerator::writeEndObject).all.iterator());
  }

  JsonParts numbers(String field, long[] numbers) {
    return array(
        field,
        IntStream.iterate(0, from -> from < numbers.length, from -> from + NUMBERS_A_PART)
            .<Part>mapToObj(
                from ->
                    json -> {
                      int to = Math.min(numbers.length, from + NUMBERS_A_PART);
                      for (int i = from; i < to; i++) {
                        json.writeNumber(numbers[i]);
                      }
                    })
            .iterator());
  }

  private JsonParts array(String field, Iterator<Part> elements) {
    add(json -> json.writeArrayFieldStart(field));
    all.add(elements);
    return add(JsonGenerator::writeEndArray);
  }

  /** Ends the object with the facts of the answer. Rows are stated only if some may be missing. */
  Iterator<Part> end(AnswerFacts facts) {
    JsonObject fields = new JsonObject();
    List<RowKey> missing = facts.rowsMissing();
    if (missing != null) {
      JsonObject rows = new JsonObject().put("asked", facts.rowsAsked());
      rows.put("answered", facts.rowsAnswered());
      fields.put("rows", rows.put("missing", missing.stream().map(RowKey::toString).toList()));
    }
    if (!facts.gaps().missing().isEmpty()) {
      fields.put("missing", facts.gaps().missing());
    }
    if (!facts.gaps().dropped().isEmpty()) {
      fields.put("dropped", facts.gaps().dropped().names());
    }
    return fields(fields.put("complete", facts.isComplete())).object();
  }
}
