package hourglass.load.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.load.command.LoadFailure;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonItemsTest {
  private static final String[] TEXTS = {
    "", "a", "\\", "\"", "\\\"", "{[", "]}", ",", "\n", "\u00e9\ud83d\ude00", "\u2028", "]\n,"
  };

  private final Random random = Seed.random(this);

  private JsonObject object(int depth) {
    JsonObject object = new JsonObject();
    for (int i = random.nextInt(4); i > 0; i--) {
      String name = TEXTS[random.nextInt(TEXTS.length)] + i;
      switch (random.nextInt(depth > 3 ? 2 : 4)) {
        case 0 -> object.put(name, TEXTS[random.nextInt(TEXTS.length)]);
        case 1 -> object.put(name, random.nextInt());
        case 2 -> object.put(name, object(depth + 1));
        default -> object.put(name, new JsonArray().add(object(depth + 1)).add(true).addNull());
      }
    }
    return object;
  }

  /** The items of a text that comes in pieces. */
  private List<String> items(boolean isArray, String text) {
    List<String> found = new ArrayList<>();
    Items items =
        new JsonItems(
            isArray,
            (bytes, from, to, isJson, number) -> {
              assertThat(isJson).isTrue();
              assertThat(number).isEqualTo(found.size() + 1);
              found.add(new String(bytes, from, to - from, StandardCharsets.UTF_8));
            });
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int from = 0;
    while (from < bytes.length) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(40));
      items.accept(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
    items.end();
    return found;
  }

  @Test
  void everyValueIsFoundOnOneLine() {
    for (int run = 0; run < Tier.length(500, 500, 20_000); run++) {
      List<JsonObject> objects = new ArrayList<>();
      for (int i = random.nextInt(5); i > 0; i--) {
        objects.add(object(0));
      }
      JsonArray array = new JsonArray(objects);
      StringBuilder printed = new StringBuilder();
      objects.forEach(each -> printed.append(each.encodePrettily()).append('\n'));
      for (List<String> found :
          List.of(
              items(true, array.encodePrettily()),
              items(true, array.encode()),
              items(false, printed.toString()))) {
        assertThat(found).noneMatch(item -> item.contains("\n"));
        assertThat(found.stream().map(JsonObject::new)).isEqualTo(objects);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "[{}", "[{},", "[{\"a\":\"]\"", "[{}]]", "[{}] {}"})
  void aBrokenArrayFails(String text) {
    assertThatThrownBy(() -> items(true, text)).isInstanceOf(LoadFailure.class);
  }
}
