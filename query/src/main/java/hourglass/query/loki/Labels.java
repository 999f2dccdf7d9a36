package hourglass.query.loki;

import hourglass.bytes.JsonText;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The labels of a stream or a series, by name. Immutable. */
public final class Labels {
  public static final Labels NONE = new Labels(new TreeMap<>());

  private final SortedMap<String, String> byName;
  private final int hash;

  /** The map is not copied, and must not be changed afterwards. */
  public Labels(SortedMap<String, String> byName) {
    this.byName = byName;
    hash = byName.hashCode();
  }

  public SortedMap<String, String> byName() {
    return byName;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof Labels labels && hash == labels.hash && byName.equals(labels.byName);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return byName.toString();
  }

  public static Labels of(String name, String value) {
    return new Labels(new TreeMap<>(Map.of(name, value)));
  }

  /** The approximate size in memory, in bytes. */
  public long bytes() {
    long bytes = 100;
    for (Map.Entry<String, String> label : byName.entrySet()) {
      bytes += 160 + label.getKey().length() + 2L * label.getValue().length();
    }
    return bytes;
  }

  public void write(JsonText out) {
    write(byName, out);
  }

  static void write(Map<String, String> labels, JsonText out) {
    out.raw("{");
    String separator = "";
    for (Map.Entry<String, String> label : labels.entrySet()) {
      out.raw(separator).string(label.getKey()).raw(":").string(label.getValue());
      separator = ",";
    }
    out.raw("}");
  }
}
