package hourglass.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import hourglass.bytes.JsonNumber;
import hourglass.bytes.JsonTexts;
import hourglass.bytes.Spans;
import hourglass.bytes.WordReader;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.FieldValue;
import hourglass.store.SoughtWord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Checks of a filter for the store against the real outcome, whatever language it comes from. */
public final class FilterChecks {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private FilterChecks() {}

  /**
   * Checks all that a filter states about an event.
   *
   * @param matches whether the event really matches
   * @return the number of values that are required, if the event matches
   */
  public static int check(
      FieldFilter fields, String query, Columns columns, int i, boolean matches) {
    byte[] payload = columns.payload(i);
    String of = query + " of " + new String(payload, StandardCharsets.UTF_8);
    if (!matches) {
      assertThat(surelyMatches(fields, payload)).as("%s for certain", of).isFalse();
      return 0;
    }
    assertThat(fields.required())
        .as("%s by required values", of)
        .allMatch(oneOf -> hasAny(payload, oneOf));
    assertThat(Stream.concat(fields.texts().stream(), fields.impliedTexts().stream()))
        .as("%s by its texts", of)
        .allMatch(any -> any.stream().anyMatch(text -> text.find(payload, 0, payload.length) >= 0));
    Set<String> words = words(payload);
    assertThat(fields.words())
        .as("%s by its words", of)
        .allMatch(any -> any.stream().anyMatch(word -> isAmong(words, word)));
    assertThat(fields.mayMatch(columns, i)).as("%s by its fields", of).isTrue();
    assertThat(isBeyondBounds(fields, payload)).as("%s by its bounds", of).isFalse();
    return fields.required().size();
  }

  private static Set<String> words(byte[] payload) {
    Set<String> words = new HashSet<>();
    JsonTexts texts = new JsonTexts();
    WordReader reader = new WordReader();
    for (texts.reset(payload, 0, payload.length); texts.next(); ) {
      reader.reset(payload, texts.from(), texts.to(), texts.isString());
      while (reader.next()) {
        words.add(new String(reader.word(), 0, reader.length(), StandardCharsets.UTF_8));
      }
    }
    return words;
  }

  /** Whether one of the words is the one that is sought, or a longer one that begins so. */
  static boolean isAmong(Set<String> words, SoughtWord sought) {
    return sought.mayGoOn()
        ? words.stream().anyMatch(word -> word.startsWith(sought.text()))
        : words.contains(sought.text());
  }

  private static boolean hasAny(byte[] payload, List<FieldValue> values) {
    try {
      JsonNode json = MAPPER.readTree(payload);
      return values.stream().anyMatch(value -> has(json, value));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean has(JsonNode json, FieldValue wanted) {
    for (Map.Entry<String, JsonNode> member : json.properties()) {
      JsonNode value = member.getValue();
      boolean isEqual =
          wanted.isSeveralWords()
              ? value.isArray() || value.isTextual() && value.textValue().matches("(?s).*\\s.*")
              : wanted.number() == null
                  ? value.isTextual() && value.textValue().equals(wanted.text())
                  : value.isNumber() && value.decimalValue().compareTo(wanted.number()) == 0;
      if (isEqual && member.getKey().equals(wanted.key()) || has(value, wanted)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an event matches for certain, by its fields. */
  public static boolean surelyMatches(FieldFilter fields, byte[] payload) {
    Spans places = fields.find(payload, 0, payload.length);
    return places != null && fields.surelyMatches(payload, places);
  }

  /** Whether a number of the payload is beyond the bounds of its field. */
  public static boolean isBeyondBounds(FieldFilter fields, byte[] payload) {
    Spans places = fields.find(payload, 0, payload.length);
    if (places == null || !fields.isBounded(places)) {
      return false;
    }
    for (int n = 0; n < places.size(); n++) {
      int from = places.start(n);
      int to = places.end(n);
      if (to > 0 && JsonNumber.begins(payload[from])) {
        String text = new String(payload, from, to - from, StandardCharsets.UTF_8);
        if (isBeyond(new BigDecimal(text), fields.least(n), fields.greatest(n))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isBeyond(BigDecimal number, double least, double greatest) {
    return !Double.isInfinite(least) && number.compareTo(new BigDecimal(least)) < 0
        || !Double.isInfinite(greatest) && number.compareTo(new BigDecimal(greatest)) > 0;
  }
}
