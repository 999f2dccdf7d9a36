package hourglass.query.where;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hourglass.query.where.json.RandomJson;
import hourglass.testing.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares views of JSON bytes with a general parser. */
class JsonValueTest {
  private static final ObjectMapper JACKSON = new ObjectMapper();

  @Test
  void valuesAgreeWithAGeneralParser() throws IOException {
    RandomJson json = new RandomJson(Seed.random(this));
    for (int n = 0; n < 3000; n++) {
      String text = json.object();
      byte[] bytes = ("[\"" + text + "\"]").getBytes(StandardCharsets.UTF_8);
      Object value = JsonValue.of(bytes, 2, bytes.length - 2);
      Object expected = plain(JACKSON.readTree(text));
      assertThat(value).as(text).isEqualTo(expected);
      // Member by member.
      JsonObject members = (JsonObject) JsonValue.of(bytes, 2, bytes.length - 2);
      for (String name : RandomJson.NAMES) {
        assertThat(members.get(name)).as("%s of %s", name, text).isEqualTo(at(expected, name));
      }
    }
  }

  private static Object at(Object object, String name) {
    return ((Map<?, ?>) object).get(name);
  }

  private static Object plain(JsonNode node) {
    if (node.isObject()) {
      Map<Object, Object> members = new LinkedHashMap<>();
      node.properties().forEach(member -> members.put(member.getKey(), plain(member.getValue())));
      return members;
    }
    if (node.isArray()) {
      List<Object> elements = new ArrayList<>();
      node.forEach(element -> elements.add(plain(element)));
      return elements;
    }
    if (node.isIntegralNumber()) {
      return node.canConvertToLong() ? (Object) node.longValue() : (Object) node.doubleValue();
    }
    if (node.isNumber()) {
      return node.doubleValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    return node.isNull() ? Special.NULL : node.textValue();
  }
}
