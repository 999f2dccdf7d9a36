package hourglass.query.where;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bytes.JsonPath;
import hourglass.bytes.Spans;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A field of an expression is the one that {@link JsonPath} finds by its name. */
class FieldNamesTest {
  private static final String[] PARTS = {"a", "b", "c"};
  private static final String[] KEYS = {"a", "b", "c", "a.b", "b.c", "a.b.c", "a.a", "c.a"};
  private static final String[] VALUES = {"1", "5", "\"5\"", "\"x\"", "null", "true", "[1]", "1.5"};
  private static final String[] TESTS = {
    " == 1",
    " != 5",
    " > 1",
    " == 'x'",
    " != 'x'",
    " == null",
    " in [1, 'x']",
    " + 1 > 2",
    ".startsWith('5')",
    ".size() == 1",
    "[0] == 1",
    "['a'] == 1",
    "['a.b'].c == 5",
    ".exists(x, true)"
  };

  private static final int NAMES = Tier.length(80, 500, 5_000);
  private static final int FILTERS = Tier.length(60, 300, 3_000);

  private final Random random = Seed.random(this);

  @Test
  void conditionsApplyToTheNamedField() {
    int found = 0;
    int matched = 0;
    for (int n = 0; n < NAMES; n++) {
      String name = name();
      String test = pick(TESTS);
      String ofField = "data." + name + test;
      String ofValue = "data" + test;
      String has = "has(data." + name + ")";
      String hasNot = "!has(data." + name + ")";
      for (int i = 0; i < 60; i++) {
        String payload = object(3);
        String value = find(name, payload);
        String outer = name.contains(".") ? find(name.replaceAll("\\.[^.]*$", ""), payload) : "{";
        boolean expected = value != null && matches(ofValue, value);
        assertThat(matches(ofField, payload))
            .as("%s%s in %s", name, test, payload)
            .isEqualTo(expected);
        assertThat(matches(has, payload))
            .as("has %s in %s", name, payload)
            .isEqualTo(value != null);
        assertThat(matches(hasNot, payload))
            .as("no %s in %s", name, payload)
            .isEqualTo(value == null && outer != null && outer.startsWith("{"));
        found += value != null ? 1 : 0;
        matched += expected ? 1 : 0;
      }
    }
    assertThat(found).isBetween(4 * NAMES, 50 * NAMES);
    assertThat(matched).isGreaterThan(NAMES / 2);
  }

  /** Decides by bytes and by values, which must agree. */
  private static boolean matches(String where, String payload) {
    Columns columns = Payloads.of(List.of(payload));
    boolean matches = Where.compile(where).matches(columns, 0, "a", () -> false);
    assertThat(Values.matches(where, columns, 0, "a")).as(payload).isEqualTo(matches);
    return matches;
  }

  private static String find(String name, String payload) {
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    JsonPath path = new JsonPath(name, () -> false);
    return path.find(bytes, 0, bytes.length)
        ? new String(bytes, path.from(), path.to() - path.from(), StandardCharsets.UTF_8)
        : null;
  }

  private String name() {
    StringBuilder name = new StringBuilder(pick(PARTS));
    for (int more = random.nextInt(4); more > 0; more--) {
      name.append('.').append(pick(PARTS));
    }
    return name.toString();
  }

  private String object(int depth) {
    StringBuilder json = new StringBuilder("{");
    for (int left = random.nextInt(5); left > 0; left--) {
      String key = random.nextInt(20) == 0 ? "\\u0061" : pick(KEYS);
      json.append('"').append(key).append("\":");
      json.append(depth > 0 && random.nextInt(2) == 0 ? object(depth - 1) : pick(VALUES));
      json.append(left > 1 ? "," : "");
    }
    return json.append('}').toString();
  }

  private String pick(String[] of) {
    return of[random.nextInt(of.length)];
  }

  /**
   * As an engine that keeps values apart uses a filter: it finds the fields in a sample, where each
   * value is empty or 0. An array or object may be such a value, if the sample has all fields.
   */
  @Test
  void fieldsFoundInASampleApplyToItsPayloads() {
    int checked = 0;
    for (int n = 0; n < FILTERS; n++) {
      FieldFilter filter =
          Where.compile("data." + name() + " == 1 && data['a.b'] == 1 || data." + name() + " == 2")
              .fields(null, List.of(), List.of());
      for (int i = 0; i < 200; i++) {
        Sample sample = new Sample();
        Spans ofSample = filter.find(sample.bytes(sample.shape), 0, sample.shape.length());
        Spans ofPayload = filter.find(sample.bytes(sample.payload), 0, sample.payload.length());
        if (ofSample == null || sample.hasCompounds && hasAbsent(ofSample)) {
          continue;
        }
        assertThat(ofPayload).as("%s, %s", sample.shape, sample.payload).isNotNull();
        for (int field = 0; field < ofSample.size(); field++) {
          assertThat(sample.place(ofPayload, field))
              .as("field %s of %s, %s", field, sample.shape, sample.payload)
              .isEqualTo(ofSample.has(field) ? ofSample.start(field) : -1);
        }
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(16 * FILTERS);
  }

  private static boolean hasAbsent(Spans places) {
    return IntStream.range(0, places.size()).anyMatch(field -> !places.has(field));
  }

  /** A random payload, and the same with its values replaced. */
  private final class Sample {
    final StringBuilder payload = new StringBuilder();
    final StringBuilder shape = new StringBuilder();
    final int[] shapeAt = new int[10_000];
    boolean hasCompounds;

    Sample() {
      add(2);
    }

    private void add(int depth) {
      same("{");
      for (int left = random.nextInt(4); left > 0; left--) {
        same('"' + pick(KEYS) + "\":");
        if (depth > 0 && random.nextInt(2) == 0) {
          add(depth - 1);
        } else {
          value();
        }
        same(left > 1 ? "," : "");
      }
      same("}");
    }

    private void same(String text) {
      for (int i = 0; i < text.length(); i++) {
        shapeAt[payload.length() + i] = shape.length() + i;
      }
      payload.append(text);
      shape.append(text);
    }

    private void value() {
      shapeAt[payload.length()] = shape.length();
      boolean isCompound = random.nextInt(4) == 0;
      hasCompounds |= isCompound;
      String text = random.nextBoolean() ? "\"12\"" : "12";
      payload.append(isCompound ? object(2) : text);
      shape.append(!isCompound && text.startsWith("\"") ? "\"\"" : "0");
    }

    byte[] bytes(StringBuilder of) {
      return of.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the place of a payload's field in the sample; -1 if it is absent. */
    int place(Spans places, int field) {
      return places.has(field) ? shapeAt[places.start(field)] : -1;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\0',
      value = {
        "data.a.b == 2          ; {\"a.b\":2}                                 ; true",
        "data.a.b == 2          ; {\"a\":{\"b\":1},\"a.b\":2}                 ; true",
        "data.a.b == 1          ; {\"a\":{\"b\":1},\"a.b\":2}                 ; false",
        "data['a'].b == 1       ; {\"a\":{\"b\":1},\"a.b\":2}                 ; true",
        "data['a'].b == 2       ; {\"a.b\":2}                                 ; false",
        "data['a.b'] == 2       ; {\"a\":{\"b\":1},\"a.b\":2}                 ; true",
        "data['a.b'] == 1       ; {\"a\":{\"b\":1}}                           ; false",
        "data.`a.b` == 1        ; {\"a\":{\"b\":1}}                           ; true",
        "data.a['b'] == 1       ; {\"a\":{\"b\":1},\"a.b\":2}                 ; true",
        "data.a['b'] == 1 && data.a.b == 2 ; {\"a\":{\"b\":1},\"a.b\":2}      ; true",
        "data.a.`b-c`.d == 1    ; {\"a.b-c\":{\"d\":1}}                       ; true",
        "data.a.b.c == 1        ; {\"a.b\":{\"c\":1},\"a\":{\"b.c\":2}}       ; true",
        "data.a.b.c == 1        ; {\"a\":{\"b.c\":1,\"b\":{\"c\":2}}}         ; true",
        "data.a.b.c == 2        ; {\"a.b\":{\"x\":1},\"a\":{\"b\":{\"c\":2}}} ; true",
        "data.a.b[0].c.d == 1   ; {\"a.b\":[{\"c\":{\"d\":1},\"c.d\":2}]}     ; true",
        "data.a.b.exists(i, i.c.d == 1) ; {\"a.b\":[{\"c.d\":1}]}             ; false",
        "data.l.exists(data, data.a.b == 1) ; {\"l\":[{\"a\":{\"b\":1}}],\"a.b\":2} ; true",
        "data.l.exists(i, i == data.a.b) ; {\"l\":[1,2],\"a.b\":2}            ; true",
        "data.l.map(i, data.a.b) == [2] ; {\"l\":[1],\"a.b\":2}               ; true",
        "{'x': data.a.b}.x == 2 && [data.a.b] == [2] ; {\"a.b\":2}            ; true",
        "has(data.a.b)          ; {\"a.b\":null}                              ; true",
        "has(data.a.b)          ; {\"a\":{\"b\":1}}                           ; true",
        "has(data.a.b)          ; {\"a\":{}}                                  ; false",
        "!has(data.a.b)         ; {\"a\":{}}                                  ; true",
        "!has(data.a.b)         ; {\"a\":{\"c\":1},\"a.b\":2}                 ; false",
        "!has(data.a.b)         ; {\"a.c\":1}                                 ; false",
        "!has(data.a.b)         ; {\"a\":1}                                   ; false",
        "has(data.a.b) || data.x == 1 ; {\"a\":1,\"x\":1}                     ; true",
        "has(data.a.b)          ; {\"a\":1,\"a.b\":2}                         ; true",
        "has(data['a'].b)       ; {\"a\":{\"c\":1},\"a.b\":2}                 ; false",
        "has(data.a.b) == true  ; {\"a.b\":1}                                 ; true",
        "has(data.a.b) != has(data.c) ; {\"a.b\":1}                           ; true",
        "has(data.a.b) in [true] ; {\"a.b\":1}                                ; true",
        "string(has(data.a.b)) == 'true' ; {\"a.b\":1}                        ; true",
        "has(data.a.b) == true  ; {\"x\":1}                                   ; false",
        "has(data.a.b.c)        ; {\"a.b\":{\"c\":1}}                         ; true",
        "data.a.b != 1          ; {\"a\":{\"c\":1}}                           ; false",
        "!(data.a.b == 1)       ; {\"a\":2}                                   ; false",
        "data.a.b == 1          ; {\"a\":{\"b\":1},\"a\":{}}                  ; true",
        "data.a.b == 2          ; {\"a\":{\"b\":1},\"a\":{\"b\":2}}           ; true",
        "data.a.b == 1          ; [{\"a.b\":1}]                               ; false",
      })
  void namesWithDotsAreFound(String where, String payload, boolean expected) {
    assertThat(matches(where, payload)).isEqualTo(expected);
  }
}
