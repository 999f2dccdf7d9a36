package hourglass.config.settings;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.decode.FieldMapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of {@code docs/kafka.md}, as a reader would copy them. */
class KafkaMappingsTest {
  private static final FieldMapping ORDERS = new FieldMapping("kind", "at", "id", null);

  @TempDir private Path folder;

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "docs", "kafka.md"));
  }

  @Test
  void inAFile() throws Exception {
    String page = page();
    int from = page.indexOf("    kafka.mappings {\n");
    String example = page.substring(from, page.indexOf("\n    }\n", from) + "\n    }\n".length());
    String others = "kafka.bootstrap-servers = \"b:1\"\nkafka.topics = [orders]\n";
    Path file = GivenSettings.file(folder, others + example);
    assertThat(mappings(new SettingsSources(file, Map.of(), List.of())))
        .containsEntry("orders", ORDERS)
        .containsEntry("shop.returns", new FieldMapping("type", "meta.ts", "ref", "return"));
  }

  @Test
  void onTheCommandLine() throws Exception {
    List<String> assignments =
        Pattern.compile("--set (?:'([^']*)'|(\\S+))")
            .matcher(page())
            .results()
            .map(KafkaMappingsTest::assignment)
            .toList();
    assertThat(assignments).hasSize(3);
    assertThat(mappings(new SettingsSources(GivenSettings.file(folder, ""), Map.of(), assignments)))
        .containsEntry("orders", ORDERS)
        .containsEntry(
            "shop.returns",
            new FieldMapping(
                "type", "time", "id", FieldMapping.DEFAULT.otherTimeFields(), "return"));
  }

  private static String assignment(MatchResult match) {
    return match.group(1) == null ? match.group(2) : match.group(1);
  }

  private static Map<String, FieldMapping> mappings(SettingsSources sources) {
    return Objects.requireNonNull(Settings.load(sources).kafka()).mappings();
  }
}
