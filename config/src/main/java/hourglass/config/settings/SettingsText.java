package hourglass.config.settings;

import java.util.stream.Collectors;

/** Writes settings as text: a file of the values in force, and the table of the documentation. */
public final class SettingsText {
  private static final int LINE_CHARS = 96;

  private SettingsText() {}

  /** Returns every setting as a line of a settings file, with its origin. */
  public static String effective(SettingsSources sources) {
    Settings.load(sources);
    SettingsReader reader = new SettingsReader(sources);
    return Catalogue.ALL.stream()
        .map(setting -> line(setting, reader))
        .collect(Collectors.joining());
  }

  private static <T> String line(Setting<T> setting, SettingsReader reader) {
    String origin = reader.origin(setting);
    // A secret that is set becomes a comment, so that the file does not replace it by another
    // value.
    String comment = setting.kind().isSecret() && origin != null ? "# " : "";
    String assignment = comment + setting.key() + " = " + setting.kind().show(reader.get(setting));
    String padding = " ".repeat(Math.max(1, LINE_CHARS / 2 - assignment.length()));
    return assignment + padding + "# " + (origin == null ? "default" : "from " + origin) + "\n";
  }

  /** Returns the table of docs/settings.md. */
  static String table() {
    return Catalogue.ALL.stream()
        .map(
            setting ->
                "| `%s` | `%s` | %s | %s |%n"
                    .formatted(
                        setting.key(),
                        setting.showDefault(),
                        setting.kind().allowed(),
                        setting.about()))
        .collect(
            Collectors.joining(
                "", "| key | default | allowed | what for |\n|---|---|---|---|\n", ""));
  }
}
