package hourglass.query.line;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The places of the labels of an event's stream in its payload. Immutable.
 *
 * <p>{@code service_name} is the type, {@code level} is found in three places, and any other label
 * is a member of the object {@code labels}, or a configured field. Members of the object {@code
 * metadata} are structured metadata.
 *
 * <p>A line that was pushed as a JSON object is the payload, which then contains these two objects
 * in a separate member, {@code _loki}. The other members of this payload are not labels, unless
 * they are configured.
 */
public final class StreamLabels {
  public static final String SERVICE = "service_name";
  public static final String LEVEL = "level";

  /** The name of the level in the structured metadata of each event; see {@link DetectedLevel}. */
  public static final String DETECTED_LEVEL = "detected_level";

  static final String LABELS = "labels";
  static final String METADATA = "metadata";

  /** The member of a payload that is not a part of its line. A push to Loki adds it. */
  static final String LOKI = "_loki";

  /** The path of the labels of a line that was pushed as an object; see {@link LineFields}. */
  static final String LABELS_OF_OBJECT = LOKI + "." + LABELS;

  static final String FACILITY = "facility";
  static final String SEVERITY = "severity";
  static final String SEVERITY_NUMBER = "severity_number";

  /** The labels without configured fields. */
  public static final StreamLabels STANDARD = new StreamLabels(List.of());

  private final Map<String, String> fields = new LinkedHashMap<>();

  /**
   * Creates labels with fields, from the root of the payload, that are labels of the events that
   * contain them. The name of such a label is that of the field, with underscores in place of other
   * characters.
   */
  public StreamLabels(List<String> configured) {
    configured.forEach(field -> fields.putIfAbsent(name(field), field));
    fields.remove(SERVICE);
  }

  /** The configured fields by the names of their labels. */
  public Map<String, String> fields() {
    return fields;
  }

  /**
   * Returns the fields that may contain a label, in the order in which they count.
   *
   * @param name not {@link #SERVICE}
   * @param ofObject whether the line was pushed as an object
   */
  List<String> paths(String name, boolean ofObject) {
    List<String> paths = new ArrayList<>();
    paths.add((ofObject ? LABELS_OF_OBJECT : LABELS) + "." + name);
    if (name.equals(LEVEL) && !ofObject) {
      paths.add(LEVEL);
      paths.add(SEVERITY);
    }
    String configured = fields.get(name);
    if (configured != null) {
      paths.add(configured);
    }
    return paths;
  }

  /** Returns the fields like {@link #paths}, followed by structured metadata. */
  public List<String> allPaths(String name, boolean ofObject) {
    List<String> paths = paths(name, ofObject);
    paths.add(metadata(name, ofObject));
    return paths;
  }

  /** Returns the field that contains structured metadata of this name. */
  static String metadata(String name, boolean ofObject) {
    return (ofObject ? LOKI + "." : "") + METADATA + "." + name;
  }

  /**
   * Returns the label that a field may be.
   *
   * @param path from the root of the payload
   * @return null if it is not a label, or its name cannot occur in a query
   */
  public @Nullable String labelOf(String path) {
    if (path.equals(LEVEL) || path.equals(SEVERITY)) {
      return LEVEL;
    }
    for (String object : List.of(LABELS + ".", LABELS_OF_OBJECT + ".")) {
      if (path.startsWith(object)) {
        String name = path.substring(object.length());
        return name(name).equals(name) ? name : null;
      }
    }
    return fields.containsValue(path) ? name(path) : null;
  }

  /** Returns the name of the label for a key or a path. */
  public static String name(String key) {
    if (isName(key)) {
      return key;
    }
    StringBuilder name = new StringBuilder(key.length() + 1);
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      boolean isDigit = c >= '0' && c <= '9';
      if (isDigit && i == 0) {
        name.append('_');
      }
      name.append(isDigit || isLetter(c) ? c : '_');
    }
    return name.toString();
  }

  private static boolean isName(String key) {
    boolean isName = key.isEmpty() || isLetter(key.charAt(0));
    for (int i = 1; i < key.length(); i++) {
      char c = key.charAt(i);
      isName &= isLetter(c) || c >= '0' && c <= '9';
    }
    return isName;
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }
}
