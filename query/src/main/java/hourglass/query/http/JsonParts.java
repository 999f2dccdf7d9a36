package hourglass.query.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.collect.Iterators;
import hourglass.bucketing.RowKey;
import hourglass.query.AnswerFacts;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One JSON object, written in parts, in the order of their addition. */
final class JsonParts implements PartsStream.Parts {
  private static final JsonFactory JSON = new JsonFactory();

  private static final int NUMBERS_A_PART = 1_024;

  private final Deque<Iterator<Part>> left = new ArrayDeque<>();
  private @Nullable JsonGenerator json;

  /** Writes some fields, or some elements of an array that other parts open and close. */
  @FunctionalInterface
  interface Part {
    void write(JsonGenerator json) throws IOException;
  }

  JsonParts add(Part part) {
    left.add(Iterators.singletonIterator(part));
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

  <T> JsonParts objects(String field, Iterable<T> elements, Function<? super T, JsonParts> parts) {
    return array(
        field,
        Iterators.concat(
            Iterators.transform(elements.iterator(), element -> parts.apply(element).object())));
  }

  private Iterator<Part> object() {
    left.addFirst(Iterators.singletonIterator(JsonGenerator::writeStartObject));
    return Iterators.concat(add(JsonGenerator::writeEndObject).left.iterator());
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
    left.add(elements);
    return add(JsonGenerator::writeEndArray);
  }

  /** The rows are given only if some may be missing. */
  JsonParts facts(AnswerFacts facts) {
    List<RowKey> missing = facts.rowsMissing();
    if (missing != null) {
      add(json -> json.writeObjectFieldStart("rows"));
      fields(
          new JsonObject().put("asked", facts.rowsAsked()).put("answered", facts.rowsAnswered()));
      array("missing", missing, row -> Json.encode(row.toString()));
      add(JsonGenerator::writeEndObject);
    }
    return complete(facts.partsMissing(), facts.isComplete());
  }

  /** The parts in {@code missing} are those that the store lacks. */
  JsonParts complete(List<String> missing, boolean isComplete) {
    JsonObject fields =
        missing.isEmpty() ? new JsonObject() : new JsonObject().put("missing", missing);
    return fields(fields.put("complete", isComplete));
  }

  @Override
  public boolean writeNext(ByteArrayOutputStream out) throws IOException {
    JsonGenerator to = json;
    if (to == null) {
      to = JSON.createGenerator(out);
      to.writeStartObject();
      json = to;
    }
    while (!left.isEmpty() && !left.element().hasNext()) {
      left.remove();
    }
    if (left.isEmpty()) {
      to.writeEndObject();
      to.close();
      return false;
    }
    left.element().next().write(to);
    to.flush();
    return true;
  }
}
