package hourglass.ingest.decode;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bytes.JsonScanner;
import hourglass.testing.RandomJson;
import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The fields of an object do not depend on earlier objects, whose keys are cached. */
class EventFieldsTest {
  private static final String[] KEYS = {
    "",
    "a",
    "id",
    "type",
    "time",
    "tim",
    "times",
    "status",
    "statusx",
    "level12",
    "level123",
    "twelve_bytes",
    "thirteen_byte",
    "fourteen_bytes",
    "fourteen_bytez",
    "a_very_long_key_of_all",
    "t\\u0079pe",
    "tïme",
    "\\\"",
    "specversion",
    "source",
    "data_base64"
  };

  private static final int OBJECTS = 20_000;

  private final JsonScanner json = new JsonScanner(64);
  private final EventFields remembering = new EventFields(json);
  private final long seed = Seed.next("EventFieldsTest");
  private final Random random = new Random(seed);

  @Test
  void keyCacheChangesNoResult() {
    FieldNames[] mappings = {
      FieldNames.DEFAULT, FieldNames.DEFAULT.with(FieldMapping.DEFAULT, true)
    };
    byte[] object = object();
    int[] seen = new int[3];
    for (int i = 0; i < OBJECTS; i++) {
      object = random.nextInt(3) == 0 ? object() : changed(object);
      FieldNames names = mappings[random.nextInt(50) == 0 ? 1 : 0];
      String found = found(remembering, object, names);
      assertThat(found)
          .as("seed %d, object %d: %s", seed, i, new String(object, StandardCharsets.UTF_8))
          .isEqualTo(found(new EventFields(json), object, names));
      seen[found.contains("STRING") ? 0 : found.startsWith("not") ? 1 : 2]++;
    }
    assertThat(seen).as("seed %d: objects with, without and of no JSON", seed).doesNotContain(0);
  }

  /** The same keys with other values, or one byte of it changed or cut. */
  private byte[] changed(byte[] object) {
    byte[] copy = object.clone();
    switch (random.nextInt(4)) {
      case 0 -> copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
      case 1 -> copy = Arrays.copyOf(copy, random.nextInt(copy.length) + 1);
      default -> {
        // As it was.
      }
    }
    return copy;
  }

  private byte[] object() {
    StringBuilder text = new StringBuilder("{");
    for (int i = random.nextInt(80) == 0 ? 150 : random.nextInt(8); i > 0; i--) {
      text.append('"').append(KEYS[random.nextInt(KEYS.length)]).append('"').append(space());
      text.append(':').append(space()).append(RandomJson.value(random, 2)).append(space());
      text.append(i > 1 ? "," : "").append(space());
    }
    return text.append('}').toString().getBytes(StandardCharsets.UTF_8);
  }

  private String space() {
    return random.nextInt(8) == 0 ? " " : "";
  }

  private String found(EventFields fields, byte[] object, FieldNames names) {
    byte[] b = Body.padded(object);
    if (b[0] != '{') {
      return "not an object";
    }
    int end = fields.scan(b, 0, names);
    if (end < 0) {
      return "not JSON at " + json.failedAt() + ", want " + json.expected();
    }
    StringBuilder found = new StringBuilder();
    found.append(end).append(" twice ").append(fields.twice());
    found.append(" not UTF-8 at ").append(json.notUtf8At());
    for (int slot = 0; slot < FieldNames.SLOTS; slot++) {
      EventFields.Kind kind = fields.kind(slot);
      found.append(' ').append(kind);
      if (!kind.equals(EventFields.Kind.ABSENT)) {
        found.append(fields.from(slot)).append('-').append(fields.to(slot));
      }
    }
    return found.toString();
  }
}
