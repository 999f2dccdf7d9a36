package hourglass.config.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.store.cassandra.CassandraOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets reach those who need them, and nobody reads them. */
class SecretSettingsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "store.cassandra.password=[hunter2]",
        "store.cassandra.password={hunter2",
        "store.cassandra.pasword=hunter2",
        "store.cassandra.trust-store-pwd=hunter2",
        "cassandra.password=hunter2",
        "store.cassandra.password=hunter2", // without a name
      })
  void problemsDoNotTellASecret(String assignment) {
    assertThatThrownBy(() -> Settings.load(GivenSettings.set(folder, assignment)))
        .hasMessageNotContaining("hunter2");
    String variable = "HOURGLASS_STORE_CASSANDRA_PASSWRD";
    assertThatThrownBy(
            () ->
                Settings.load(
                    new SettingsSources(
                        GivenSettings.file(folder, ""), Map.of(variable, "hunter2"), List.of())))
        .hasMessageContaining(variable)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void aSecretIsReadAsItIsAndNotPrinted() {
    SettingsSources sources =
        new SettingsSources(
            GivenSettings.file(
                folder,
                "store { engine = cassandra, cassandra { username = ada, password = 0012 } }"),
            Map.of("HOURGLASS_STORE_CASSANDRA_TRUST_STORE_PASSWORD", " hunter2 "),
            List.of());
    CassandraOptions options = ((StoreOptions.Cassandra) Settings.load(sources).store()).options();
    assertThat(options.password()).isEqualTo("0012");
    assertThat(options.trustStorePassword()).isEqualTo(" hunter2 ");
    assertThat(Settings.load(sources).toString()).doesNotContain("0012", "hunter2");
    String text = Settings.text(sources);
    assertThat(text)
        .doesNotContain("0012", "hunter2")
        .containsPattern("(?m)^# store.cassandra.password = \\(secret\\) +# from .*test.conf: 1$");
  }

  @Test
  void theValuesOfAFileNamedDefaultAreNotTakenForDefaults() throws IOException {
    Path file = Path.of("default");
    try {
      Files.writeString(file, "store.cassandra { username = ada, password = hunter2 }");
      assertThat(Settings.text(new SettingsSources(file, Map.of(), List.of())))
          .doesNotContain("hunter2")
          .contains("# from ./default: 1");
    } finally {
      Files.delete(file);
    }
  }
}
