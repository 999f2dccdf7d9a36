package hourglass.query.typed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hourglass.bucketing.TimeUuid;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.scan.EventFilter;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Random filters over random events agree with a plain evaluation of their parts. */
final class RandomFiltersTest {
  private static final int FILTERS = Tier.length(40, 120, 1_200);
  private static final int EVENTS = 60;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String TYPE = "shop";

  private static final String[] FIELDS = {
    "a", "b", "c", "o.x", "o.y", "o.p.q", "user-agent", "größe"
  };
  private static final String[] TEXTS = {
    "a", "b", "5", "500", "web-1", "web-2", "A b", "a b c", "say \"hi\" x", "é É", "/x", "", "true"
  };
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_]+");
  private static final String[] NUMBERS = {"0", "5", "500", "-1", "2.5", "5000"};

  private final Random random;

  RandomFiltersTest(RepetitionInfo repetition) {
    random = Seed.random("RandomFiltersTest " + repetition.getCurrentRepetition());
  }

  /** A filter as text, and what it means. */
  private record Known(String text, Predicate<JsonNode> meaning, List<Known> parts) {
    Known(String text, Predicate<JsonNode> meaning) {
      this(text, meaning, List.of());
    }

    Known of(Known... parts) {
      return new Known(text, meaning, List.of(parts));
    }
  }

  @RepeatedTest(5)
  void randomFiltersAgreeWithAModel() {
    ColumnsBuilder builder = new ColumnsBuilder(EVENTS, EVENTS * 64);
    List<JsonNode> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      JsonNode event = object(0);
      byte[] payload = event.toString().getBytes(StandardCharsets.UTF_8);
      events.add(event);
      TimeUuid name = TimeUuid.first(TimeRange.ALL.fromTicks() + i);
      builder.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    Columns columns = builder.build();
    int found = 0;
    for (int n = 0; n < FILTERS; n++) {
      Known filter = any(0);
      for (int i = 0; i < EVENTS; i++) {
        check(filter, events.get(i), columns, i);
        found += filter.meaning().test(events.get(i)) ? 1 : 0;
      }
    }
    assertThat(found).isBetween(FILTERS * EVENTS / 50, FILTERS * EVENTS * 49 / 50);
  }

  /** Fails for a part of the filter rather than for the whole, if a part fails by itself. */
  private static void check(Known filter, JsonNode event, Columns columns, int i) {
    boolean expected = filter.meaning().test(event);
    boolean isTaken = takes(filter.text(), columns, i);
    boolean isLeftByOpposite = !takes("NOT (" + filter.text() + ")", columns, i);
    if (isTaken != expected || isLeftByOpposite != expected) {
      filter.parts().forEach(part -> check(part, event, columns, i));
    }
    assertThat(isTaken).as("%s of %s", filter.text(), event).isEqualTo(expected);
    assertThat(isLeftByOpposite).as("NOT (%s) of %s", filter.text(), event).isEqualTo(expected);
  }

  private static boolean takes(String text, Columns columns, int i) {
    TypedFilter filter = TypedFilter.of(text);
    if (!filter.types().isEmpty() && !filter.types().contains(TYPE)) {
      return false;
    }
    Selection selection =
        new Selection(
            filter.types(), TimeRange.ALL, "", false, filter.words(), filter.where(), null);
    EventFilter events = EventFilter.of(selection);
    return events == null || events.takes(TYPE, columns, i);
  }

  private Known any(int depth) {
    if (depth == 3 || random.nextInt(3) == 0) {
      return term();
    }
    Known one = any(depth + 1);
    Known other = any(depth + 1);
    return switch (random.nextInt(5)) {
      case 0 -> new Known("-(" + one.text + ")", one.meaning.negate()).of(one);
      case 1 ->
          new Known("(" + one.text + " OR " + other.text + ")", one.meaning.or(other.meaning))
              .of(one, other);
      case 2 -> new Known("NOT " + bracketed(one), one.meaning.negate()).of(one);
      case 3 ->
          new Known(bracketed(one) + " AND " + bracketed(other), both(one, other)).of(one, other);
      default ->
          new Known(bracketed(one) + " " + bracketed(other), both(one, other)).of(one, other);
    };
  }

  private static String bracketed(Known filter) {
    return "(" + filter.text + ")";
  }

  private static Predicate<JsonNode> both(Known one, Known other) {
    return one.meaning.and(other.meaning);
  }

  private Known term() {
    String field = pick(FIELDS);
    String typed = random.nextInt(3) == 0 ? "data." + field : field;
    String text = pick(TEXTS);
    String number = pick(NUMBERS);
    return switch (random.nextInt(14)) {
      case 0, 1 -> is(typed, field, quoted(text), text, false);
      case 2, 3 -> is(typed, field, number, number, true);
      case 4 -> new Known(typed + ":*", event -> find(event, field) != null);
      case 5 -> new Known("_exists_:" + typed, event -> find(event, field) != null);
      case 6 -> ordered(typed, field, number);
      case 7 ->
          new Known(
              typed + ":" + number + "..9999",
              event ->
                  compare(event, field, number) >= 0
                      && compare(event, field, "9999") <= 0
                      && isNumber(event, field));
      case 8 -> word(text.isEmpty() ? "a" : text);
      case 9 ->
          new Known(
              typed + ":web-*",
              event -> {
                JsonNode value = find(event, field);
                return value != null
                    && (value.isTextual() && value.textValue().startsWith("web-")
                        || hasWords(value, "web-"));
              });
      case 10 -> {
        Known one = is(typed, field, "a", "a", false);
        Known other = is(typed, field, "500", "500", true);
        yield new Known(typed + ":(a OR 500)", one.meaning.or(other.meaning));
      }
      case 11 -> new Known("type:" + TYPE, event -> true);
      case 12 -> new Known("type:other", event -> false);
      default ->
          new Known(
              typed + ":=" + quoted(text),
              event -> {
                JsonNode value = find(event, field);
                return value != null && value.isTextual() && value.textValue().equals(text);
              });
    };
  }

  private Known ordered(String typed, String field, String number) {
    String colon = random.nextBoolean() ? ":" : "";
    return random.nextBoolean()
        ? new Known(
            typed + colon + ">" + number,
            event -> isNumber(event, field) && compare(event, field, number) > 0)
        : new Known(
            typed + colon + "<=" + number,
            event -> isNumber(event, field) && compare(event, field, number) <= 0);
  }

  private static boolean isNumber(JsonNode event, String field) {
    JsonNode value = find(event, field);
    return value != null && value.isNumber();
  }

  private static int compare(JsonNode event, String field, String number) {
    return isNumber(event, field)
        ? find(event, field).decimalValue().compareTo(new BigDecimal(number))
        : 0;
  }

  private static Known word(String text) {
    return new Known(quoted(text), event -> hasWordsInside(event, text));
  }

  private static boolean hasWordsInside(JsonNode node, String text) {
    if (!node.isContainerNode()) {
      return areIn(node.asText(), text);
    }
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names.stream().anyMatch(name -> areIn(name, text))
        || StreamSupport.stream(node.spliterator(), false)
            .anyMatch(child -> hasWordsInside(child, text));
  }

  private static Known is(String typed, String field, String said, String text, boolean isNumber) {
    return new Known(
        typed + ":" + said,
        event -> {
          JsonNode value = find(event, field);
          if (value == null) {
            return false;
          }
          boolean isEqual =
              value.isTextual() && value.textValue().equals(text)
                  || isNumber
                      && value.isNumber()
                      && value.decimalValue().compareTo(new BigDecimal(text)) == 0;
          return isEqual || !text.isEmpty() && hasWords(value, text);
        });
  }

  private static boolean hasWords(JsonNode value, String text) {
    if (value.isArray()) {
      return StreamSupport.stream(value.spliterator(), false)
          .anyMatch(
              element ->
                  !element.isArray() && (element.asText().equals(text) || hasWords(element, text)));
    }
    return value.isTextual() && value.textValue().contains(" ") && areIn(value.textValue(), text);
  }

  /** Whether the words of a text are in a value, one after the other. */
  private static boolean areIn(String value, String text) {
    return Collections.indexOfSubList(words(value), words(text)) >= 0;
  }

  private static List<String> words(String text) {
    return WORD.matcher(text.toLowerCase(Locale.ROOT)).results().map(MatchResult::group).toList();
  }

  private static JsonNode find(JsonNode event, String field) {
    if (!event.isObject()) {
      return null;
    }
    // The longest key wins, if the rest of the name is there.
    for (int dot = field.length(); dot > 0; dot = field.lastIndexOf('.', dot - 1)) {
      JsonNode value = event.get(field.substring(0, dot));
      JsonNode rest =
          value == null || dot == field.length() ? value : find(value, field.substring(dot + 1));
      if (rest != null) {
        return rest;
      }
    }
    return null;
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\\\"") + '"';
  }

  private ObjectNode object(int depth) {
    ObjectNode object = MAPPER.createObjectNode();
    for (String name : List.of("a", "b", "c", "x", "y", "user-agent", "größe")) {
      if (random.nextBoolean()) {
        object.set(name, value(depth));
      }
    }
    if (random.nextInt(6) == 0) {
      object.set(pick(new String[] {"o.x", "o.p", "p.q", "o.p.q"}), value(1));
    }
    if (depth == 1 && random.nextInt(3) == 0) {
      object.set("p", object(2));
    }
    if (depth == 0 && random.nextBoolean()) {
      object.set("o", random.nextInt(4) == 0 ? value(1) : object(1));
    }
    return object;
  }

  private JsonNode value(int depth) {
    return switch (random.nextInt(depth == 0 ? 8 : 6)) {
      case 0, 1 -> MAPPER.getNodeFactory().numberNode(new BigDecimal(pick(NUMBERS)));
      case 2 -> MAPPER.getNodeFactory().booleanNode(random.nextBoolean());
      case 3 -> MAPPER.getNodeFactory().nullNode();
      case 6 -> {
        ArrayNode list = MAPPER.createArrayNode();
        for (int i = random.nextInt(3); i > 0; i--) {
          list.add(value(1));
        }
        yield list;
      }
      case 7 -> object(1);
      default -> MAPPER.getNodeFactory().textNode(pick(TEXTS));
    };
  }

  private String pick(String[] from) {
    return from[random.nextInt(from.length)];
  }
}
