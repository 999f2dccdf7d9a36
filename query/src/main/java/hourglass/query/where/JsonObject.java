package hourglass.query.where;

import hourglass.query.filter.Effort;
import hourglass.query.filter.PayloadSearch;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as a map, which reads each value on first access. If members share a name, the last
 * one counts. Used by one thread at a time.
 */
final class JsonObject extends AbstractMap<Object, Object> {
  /** The memory of an object, in elements of a list. */
  private static final int ELEMENTS = 4;

  private final byte[] bytes;
  private final int from;
  private final int to;
  private final boolean isPayload;
  private @Nullable JsonMembers members;
  private @Nullable Object[] values = {};
  private @Nullable Map<Object, Object> all;

  JsonObject(byte[] bytes, int from, int to, boolean isPayload) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.isPayload = isPayload;
  }

  /** Whether this is a whole payload that contains a text. */
  boolean isPayloadWith(PayloadSearch text) {
    if (!isPayload) {
      return false;
    }
    Effort.current().spend((to - from) / Effort.CHARACTERS_A_STEP);
    return text.isIn(bytes, from, to);
  }

  /**
   * Returns the members. They are found only when needed, since a list may contain many objects
   * that are never read.
   */
  private JsonMembers members() {
    JsonMembers known = members;
    if (known == null) {
      known = new JsonMembers(bytes, from, to);
      values = new @Nullable Object[known.size()];
      Effort.current().make(ELEMENTS + known.size());
      members = known;
    }
    return known;
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    int member = key instanceof String name ? members().find(name) : -1;
    return member < 0 ? null : valueOf(member);
  }

  private Object valueOf(int member) {
    Object value = values[member];
    if (value == null) {
      value = JsonValue.of(bytes, members().valueFrom(member), members().valueTo(member));
      values[member] = value;
    }
    return value;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return key instanceof String name && members().find(name) >= 0;
  }

  @Override
  public Set<Map.Entry<Object, Object>> entrySet() {
    Map<Object, Object> known = all;
    if (known == null) {
      known = new LinkedHashMap<>();
      JsonMembers found = members();
      Effort.current().make((long) ELEMENTS * found.size());
      for (int member = 0; member < found.size(); member++) {
        known.put(found.name(member), valueOf(member));
      }
      all = known;
    }
    return known.entrySet();
  }
}
