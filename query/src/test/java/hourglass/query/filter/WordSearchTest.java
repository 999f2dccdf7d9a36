package hourglass.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.bytes.ByteSearch;
import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordSearchTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern WORD =
      Pattern.compile(
          "\\p{IsIdeographic}|[\\p{L}\\p{Nd}_&&[^\\p{IsIdeographic}]][\\p{L}\\p{Nd}_\\p{M}&&[^\\p{IsIdeographic}]]*");

  private final Random random = Seed.random(this);

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '\0',
      value = {
        "connection refused § {\"m\":\"Connection REFUSED by peer\"} § true",
        "connection refused § {\"m\":\"connection: refused\"} § true",
        "connection refused § {\"m\":\"connection was refused\"} § false",
        "connection refused § {\"m\":\"connection\",\"n\":\"refused\"} § false",
        "connection refused § [\"connection\",\"refused\"] § false",
        "connection refused § {\"m\":\"disconnection refused\"} § false",
        "connection refuse § {\"m\":\"connection refused\"} § false",
        "connection refuse* § {\"m\":\"connection refused\"} § true",
        "refused* § {\"m\":\"refused\"} § true",
        "refused * § {\"m\":\"refusedly\"} § false",
        "con* refused § {\"m\":\"con refused\"} § true",
        "con* refused § {\"m\":\"connection refused\"} § false",
        "level § {\"level\":1} § true",
        "-500 § {\"n\":500} § true",
        "1.5 § {\"n\":1.5} § true",
        "1 5 § {\"n\":1.5} § true",
        "true § {\"n\":true} § true",
        "a b § {\"n\":\"a\\nb\"} § true",
        "nb § {\"n\":\"a\\nb\"} § false",
        "café § {\"n\":\"CAF\\u00C9\"} § true",
        "refused § {\"n\":\"\\u0072efused\"} § true",
        "a a b § {\"n\":\"a a a b\"} § true",
        "a a b a a c § {\"n\":\"a a b a a b a a c\"} § true",
        "connection refused § connection \"refused\" § true",
        "x § {\"n\":\"a\"} § false",
        "拒絕 § {\"n\":\"連線被拒絕\"} § true",
        "=> § {\"n\":\"a=>b\"} § true",
        "\"\" § {\"n\":\"say \\\"\\\"\"} § true",
      })
  void findsWords(String words, String payload, boolean isThere) {
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    assertThat(PayloadSearch.ofWords(words).isIn(bytes, 0, bytes.length)).isEqualTo(isThere);
  }

  /** Compares the search with one in the words that Jackson and java.util.regex find. */
  @Test
  void agreesWithAPlainSearch() throws JsonProcessingException {
    int found = 0;
    for (int n = 0; n < 10_000; n++) {
      String payload = object();
      String wanted = text(1 + random.nextInt(5)) + (random.nextInt(3) == 0 ? "*" : "");
      List<String> words = words(wanted);
      if (words.isEmpty()) {
        continue;
      }
      PayloadSearch search = PayloadSearch.ofWords(wanted);
      byte[] bytes = ("-" + payload).getBytes(StandardCharsets.UTF_8);
      boolean expected = isThere(JSON.readTree(payload), words, isBeginning(wanted));
      assertThat(search.isIn(bytes, 1, bytes.length))
          .as("%s in %s", wanted, payload)
          .isEqualTo(expected);
      found += expected ? 1 : 0;
      Set<String> wordsOfPayload = wordsOf(JSON.readTree(payload));
      assertThat(
              !expected
                  || search.words().stream()
                      .allMatch(word -> FilterChecks.isAmong(wordsOfPayload, word)))
          .as("words of %s in %s", wanted, payload)
          .isTrue();
      List<ByteSearch> required = search.required();
      assertThat(
              !expected
                  || required.isEmpty()
                  || required.stream().anyMatch(one -> one.find(bytes, 1, bytes.length) >= 0))
          .as("required of %s in %s", wanted, payload)
          .isTrue();
    }
    assertThat(found).isBetween(500, 9_000);
  }

  private static boolean isBeginning(String wanted) {
    return wanted.endsWith("*")
        && wanted.length() > 1
        && (Character.isLetterOrDigit(wanted.codePointBefore(wanted.length() - 1))
            || "_\u0301".indexOf(wanted.charAt(wanted.length() - 2)) >= 0
                && WORD.matcher(wanted.substring(0, wanted.length() - 1))
                    .results()
                    .anyMatch(word -> word.end() == wanted.length() - 1));
  }

  private static boolean isThere(JsonNode node, List<String> words, boolean isBeginning) {
    List<String> texts = new ArrayList<>();
    addTexts(node, texts);
    return texts.stream().anyMatch(text -> isInText(words(text), words, isBeginning));
  }

  private static Set<String> wordsOf(JsonNode node) {
    List<String> texts = new ArrayList<>();
    addTexts(node, texts);
    return texts.stream().flatMap(text -> words(text).stream()).collect(Collectors.toSet());
  }

  private static void addTexts(JsonNode node, List<String> into) {
    if (node.isContainerNode()) {
      node.fieldNames().forEachRemaining(into::add);
      node.forEach(child -> addTexts(child, into));
    } else {
      into.add(node.asText());
    }
  }

  private static boolean isInText(List<String> text, List<String> words, boolean isBeginning) {
    if (!isBeginning) {
      return Collections.indexOfSubList(text, words) >= 0;
    }
    int last = words.size() - 1;
    for (int i = 0; i + last < text.size(); i++) {
      if (text.subList(i, i + last).equals(words.subList(0, last))
          && text.get(i + last).startsWith(words.get(last))) {
        return true;
      }
    }
    return false;
  }

  private static List<String> words(String text) {
    return WORD.matcher(text)
        .results()
        .map(found -> found.group().toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT))
        .toList();
  }

  private String object() {
    StringBuilder json = new StringBuilder("{");
    for (int i = random.nextInt(3); i >= 0; i--) {
      json.append(string(i + text(2))).append(':').append(value(0)).append(i > 0 ? ", " : "");
    }
    return json.append('}').toString();
  }

  private String value(int depth) {
    return switch (random.nextInt(depth < 2 ? 7 : 5)) {
      case 0 -> Integer.toString(random.nextInt(100));
      case 1 -> random.nextBoolean() ? "null" : "true";
      case 5 -> "[" + value(depth + 1) + " ," + value(depth + 1) + "]";
      case 6 -> "{" + string("k") + ":" + value(depth + 1) + "}";
      default -> string(text(random.nextInt(12)));
    };
  }

  /** Few characters, so that words repeat; marks follow letters as they do in texts. */
  private String text(int length) {
    String[] some = {
      "a",
      "A",
      "b",
      "k",
      "9",
      "_",
      " ",
      "-",
      "\n",
      "\"",
      "é",
      "É",
      "e\u0301",
      "接",
      "\ud801\udc00",
      "\ud83d\ude00",
      "\u212a"
    };
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(some[random.nextInt(some.length)]);
    }
    return text.toString();
  }

  /** A string of JSON in which some characters are escaped. */
  private String string(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int c : text.codePoints().toArray()) {
      String character = Character.toString(c);
      if (c == '\n') {
        json.append("\\n");
      } else if (c == '"' || random.nextInt(12) == 0) {
        character.chars().forEach(unit -> json.append("\\u%04x".formatted(unit)));
      } else {
        json.append(character);
      }
    }
    return json.append('"').toString();
  }
}
