package hourglass.query.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import hourglass.bucketing.RowKey;
import hourglass.query.AnswerFacts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One JSON object, written in parts, in the order of their addition. */
final class JsonParts implements AnswerParts {
  private static final JsonFactory JSON = new JsonFactory();

  /** The numbers of an array that one part writes. */
  private static final int NUMBERS_A_PART = 1_024;

  private final Deque<Iterator<Part>> left = new ArrayDeque<>();
  private @Nullable JsonGenerator json;

  /** Writes some fields, or some elements of an array that other parts open and close. */
  @FunctionalInterface
  interface Part {
    void write(JsonGenerator json) throws IOException;
  }

  @FunctionalInterface
  interface ElementWriter<T> {
    void write(JsonGenerator json, T element) throws IOException;
  }

  JsonParts add(Part part) {
    left.add(List.of(part).iterator());
    return this;
  }

  /** Adds an array; each element is one part. */
  <T> JsonParts array(String field, Iterable<T> elements, ElementWriter<T> writer) {
    return array(field, elements, element -> part(json -> writer.write(json, element)));
  }

  /** Adds an array whose elements have several parts each. */
  <T> JsonParts array(
      String field, Iterable<T> elements, Function<? super T, Iterator<Part>> parts) {
    add(json -> json.writeArrayFieldStart(field));
    left.add(new Flat<>(elements.iterator(), parts));
    return add(JsonGenerator::writeEndArray);
  }

  /** The parts as an element of {@link #array}. */
  Iterator<Part> iterator() {
    return new Flat<>(left.iterator(), parts -> parts);
  }

  /** Adds an array of numbers, which may be long. */
  JsonParts numbers(String field, long[] numbers) {
    add(json -> json.writeArrayFieldStart(field));
    left.add(
        new Iterator<>() {
          private int at;

          @Override
          public boolean hasNext() {
            return at < numbers.length;
          }

          @Override
          public Part next() {
            int from = at;
            int to = Math.min(numbers.length, from + NUMBERS_A_PART);
            at = to;
            return json -> {
              for (int i = from; i < to; i++) {
                json.writeNumber(numbers[i]);
              }
            };
          }
        });
    return add(JsonGenerator::writeEndArray);
  }

  /** Adds the facts of the answer: the rows, if some may be missing, and whether it is complete. */
  JsonParts facts(AnswerFacts facts) {
    List<RowKey> missing = facts.rowsMissing();
    if (missing != null) {
      add(
          json -> {
            json.writeObjectFieldStart("rows");
            json.writeNumberField("asked", facts.rowsAsked());
            json.writeNumberField("answered", facts.rowsAnswered());
          });
      array("missing", missing, (json, row) -> json.writeString(row.toString()));
      add(JsonGenerator::writeEndObject);
    }
    if (!facts.partsMissing().isEmpty()) {
      array("missing", facts.partsMissing(), JsonGenerator::writeString);
    }
    return add(json -> json.writeBooleanField("complete", facts.isComplete()));
  }

  private static Iterator<Part> part(Part part) {
    return List.of(part).iterator();
  }

  @Override
  public boolean hasNext() {
    return json == null || !json.isClosed();
  }

  @Override
  public void writeNext(ByteArrayOutputStream out) throws IOException {
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
    } else {
      left.element().next().write(to);
      to.flush();
    }
  }

  /** The parts of all items, created item by item. */
  private static final class Flat<T> implements Iterator<Part> {
    private final Iterator<? extends T> items;
    private final Function<? super T, Iterator<Part>> parts;
    private Iterator<Part> current = List.<Part>of().iterator();

    Flat(Iterator<? extends T> items, Function<? super T, Iterator<Part>> parts) {
      this.items = items;
      this.parts = parts;
    }

    @Override
    public boolean hasNext() {
      while (!current.hasNext() && items.hasNext()) {
        current = parts.apply(items.next());
      }
      return current.hasNext();
    }

    @Override
    public Part next() {
      return current.next();
    }
  }
}
