package hourglass.query.where.json;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bytes.JsonPath;
import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class FieldWalkTest {
  private static final String[] KEYS = {"a", "b", "a.b", "b.a", "\\u0061", "", "a.b.a", "é"};

  private final Random random = Seed.random(this);
  private final FieldWalk walk = new FieldWalk(12);

  private String object(int depth) {
    StringBuilder json = new StringBuilder("{");
    for (int i = random.nextInt(5); i > 0; i--) {
      String key = KEYS[random.nextInt(KEYS.length)];
      json.append(json.length() > 1 ? " ," : "").append('"').append(key).append("\" : ");
      json.append(depth > 0 && random.nextInt(3) == 0 ? object(depth - 1) : value());
    }
    return json.append('}').toString();
  }

  private String value() {
    String[] values = {"1", "\"}\\\"\"", "null", "[{\"a\":1}]", "true", "{}"};
    return values[random.nextInt(values.length)];
  }

  /** All names of KEYS' segments up to a length. */
  private static Set<String> names(String prefix, int levels) {
    Set<String> names = new TreeSet<>();
    for (String segment : new String[] {"a", "b", "", "é"}) {
      names.add(prefix + segment);
      if (levels > 1) {
        names.addAll(names(prefix + segment + ".", levels - 1));
      }
    }
    return names;
  }

  @Test
  void walkedFieldsAgreeWithPaths() {
    Set<String> names = names("", 5);
    int found = 0;
    for (int i = 0; i < 300; i++) {
      String json = object(3);
      byte[] bytes = ("#" + json + "#").getBytes(StandardCharsets.UTF_8);
      walk.walk(bytes, 1, bytes.length - 1);
      Set<String> walked = new TreeSet<>();
      for (int field = 0; field < walk.size(); field++) {
        String name = walk.name(walk.field(field));
        assertThat(walked.add(name)).as("%s twice in %s", name, json).isTrue();
        JsonPath path = new JsonPath(name, () -> false);
        assertThat(path.find(bytes, 1, bytes.length - 1)).as("%s in %s", name, json).isTrue();
        assertThat(new int[] {walk.from(field), walk.to(field)})
            .as("%s in %s", name, json)
            .containsExactly(path.from(), path.to());
      }
      for (String name : names) {
        boolean has = new JsonPath(name, () -> false).find(bytes, 1, bytes.length - 1);
        assertThat(walked.contains(name))
            .as("%s in %s", name, json)
            .isEqualTo(has && !name.isEmpty() && name.length() <= 12);
        found += has ? 1 : 0;
      }
    }
    assertThat(found).isGreaterThan(300);
    assertThat(walk.hasMore()).isFalse();
  }

  @Test
  void otherValuesHaveNoFields() {
    for (String json : new String[] {"1", "[{\"a\":1}]", "\"{\"", " null", ""}) {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      walk.walk(bytes, 0, bytes.length);
      assertThat(walk.size()).as(json).isZero();
    }
  }

  /** Such keys use no place among the keys, and hide no field. */
  @Test
  void keysTooLongForANameAreLeftOut() {
    for (int i = 0; i < 10_001; i++) {
      String json = "{\"" + "k".repeat(100) + i + "\":{\"a\":1},\"a\":2}";
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      walk.walk(bytes, 0, bytes.length);
      assertThat(walk.size()).isEqualTo(1);
      assertThat(walk.name(walk.field(0))).isEqualTo("a");
    }
    assertThat(walk.hasMore()).isFalse();
  }

  @Test
  void namesBeyondTheBoundAreLeftOut() {
    for (int i = 0; i < 10_001; i++) {
      byte[] bytes = ("{\"k" + i + "\":1}").getBytes(StandardCharsets.UTF_8);
      walk.walk(bytes, 0, bytes.length);
      assertThat(walk.size()).isEqualTo(i < 10_000 ? 1 : 0);
    }
    assertThat(walk.hasMore()).isTrue();
  }
}
