package hourglass.config.gate.audit;

import hourglass.access.SecretText;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit file, without its time. Immutable.
 *
 * @param members texts, numbers and lists of texts, in their order
 */
public record AuditEvent(String name, Map<String, Object> members) {
  /** The length limit of a text. Strangers choose some texts, and a line should be small. */
  private static final int TEXT_LENGTH_MAX = 256;

  private static final int LIST_LENGTH_MAX = 32;
  private static final String CUT = "...";

  public static AuditEvent of(String name) {
    return new AuditEvent(name, Map.of());
  }

  /**
   * Returns this event with one more member. Leaves out a value that is null or empty, cuts a long
   * one, and hides texts that look like secrets.
   */
  public AuditEvent with(String member, @Nullable Object value) {
    Object safe = value == null ? "" : safe(value);
    if (safe.equals("") || safe.equals(List.of())) {
      return this;
    }
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(member, safe);
    return new AuditEvent(name, more);
  }

  private static Object safe(Object value) {
    if (value instanceof Collection<?> list) {
      return list.stream()
          .limit(LIST_LENGTH_MAX)
          .map(one -> (Object) text(String.valueOf(one)))
          .toList();
    }
    return value instanceof Number || value instanceof Boolean ? value : text(value.toString());
  }

  private static String text(String text) {
    String hidden = SecretText.hide(text);
    return hidden.length() <= TEXT_LENGTH_MAX ? hidden : hidden.substring(0, TEXT_LENGTH_MAX) + CUT;
  }

  String line(Instant time) {
    JsonObject json = new JsonObject().put("time", time.toString()).put("event", name);
    members.forEach(json::put);
    return json.encode() + "\n";
  }
}
