package hourglass.store.cassandra;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reads the statements of a .cql file beside this class. */
final class SchemaFile {
  private SchemaFile() {}

  /**
   * The statements, without comments, and with {@code ${name}} replaced.
   *
   * @throws IllegalStateException if the program lacks the file
   */
  static List<String> statements(String file, Map<String, String> values) {
    String text = read(file).replaceAll("--[^\n]*", "");
    for (Map.Entry<String, String> value : values.entrySet()) {
      text = text.replace("${" + value.getKey() + "}", value.getValue());
    }
    return Arrays.stream(text.split(";"))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  private static String read(String file) {
    try (InputStream in = SchemaFile.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("BUG: the program has no " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
