package hourglass.config.settings;

import hourglass.config.gate.audit.AuditOptions;
import java.nio.file.Path;

final class AuditSettings {
  static final SettingGroup ALL = new SettingGroup("audit");

  private static final AuditOptions DEFAULT = AuditOptions.DEFAULT;

  private static final Setting<String> FILE =
      ALL.key("file", Kinds.optionalText("a file; empty: none"), "")
          .about(
              "Where refused requests, changes of keys and large answers are noted, a JSON object a"
                  + " line. Another process may not have the same file.");
  private static final Setting<Long> EXPORT_BYTES =
      ALL.key("export-bytes", Kinds.bytes(1, 1L << 50), DEFAULT.exportBytes())
          .about("An answer or a tail of so many bytes, as they are sent, is noted.");
  private static final Setting<Long> ROTATE_BYTES =
      ALL.key("rotate-bytes", Kinds.bytes(1 << 10, 1L << 40), DEFAULT.rotateBytes())
          .about("Before the file is larger, it is renamed and a new one begun.");
  private static final Setting<Integer> KEEP =
      ALL.key("keep", Kinds.count(0, 1_000), DEFAULT.keep())
          .about("Older files that are kept: FILE.1 is the newest of them.");

  private AuditSettings() {}

  static AuditOptions read(SettingsReader reader) {
    String file = reader.get(FILE);
    return new AuditOptions(
        file.isEmpty() ? null : Path.of(file),
        reader.get(EXPORT_BYTES),
        reader.get(ROTATE_BYTES),
        reader.get(KEEP));
  }
}
