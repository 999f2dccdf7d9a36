package hourglass.config.settings;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/settings.md shows the settings there are. -Dhourglass.docs=write brings it up to date. */
class SettingsPageTest {
  private static final Path PAGE = Project.ROOT.resolve("docs/settings.md");
  private static final String BEGIN = "<!-- begin: written by SettingsPageTest -->\n";
  private static final String END = "<!-- end -->\n";

  @Test
  void showsEverySetting() throws IOException {
    String page = Files.readString(PAGE);
    String before = page.substring(0, page.indexOf(BEGIN) + BEGIN.length());
    String after = page.substring(page.indexOf(END));
    String want = before + "\n" + table() + "\n" + after;
    if ("write".equals(System.getProperty("hourglass.docs"))) {
      Files.writeString(PAGE, want);
    }
    assertThat(Files.readString(PAGE))
        .as("stale: mvn -pl config -am test -Dtest=SettingsPageTest -Dhourglass.docs=write")
        .isEqualTo(want);
  }

  private static String table() {
    return Reference.KEYS.entrySet().stream()
        .map(entry -> row(entry.getKey(), entry.getValue()))
        .collect(
            Collectors.joining(
                "", "| key | default | allowed | what for |\n|---|---|---|---|\n", ""));
  }

  private static String row(String path, Reference.Key key) {
    return "| `%s` | `%s` | %s | %s |%n"
        .formatted(path, SettingsReader.hocon(key.byDefault()), key.allowed(), key.about());
  }
}
