package hourglass.query.where;

import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.SelectableValue;
import hourglass.query.filter.Effort;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as a map of CEL, each value read on first access. Of members with the same name the
 * last counts.
 */
@SuppressWarnings("Immutable") // as its parent
final class JsonObject extends JsonView implements SelectableValue<Object>, Map<Object, Object> {
  /** As the type that an expression names {@code map}. */
  private static final CelType TYPE = MapType.create(SimpleType.DYN, SimpleType.DYN);

  /** The memory of an object, in list elements. */
  private static final int ELEMENTS = 4;

  private final boolean isPayload;
  private @Nullable JsonMembers members;
  private @Nullable Object[] values = {};
  private @Nullable Map<Object, Object> all;

  JsonObject(byte[] bytes, int from, int to, boolean isPayload) {
    super(TYPE, bytes, from, to);
    this.isPayload = isPayload;
  }

  @Override
  public boolean isPayload() {
    return isPayload;
  }

  /** Found late, since a list may have many objects that are never read. */
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
  public Object select(Object field) {
    Object value = get(field);
    if (value == null) {
      throw CelAttributeNotFoundException.forMissingMapKey(field.toString());
    }
    return value;
  }

  @Override
  public Optional<Object> find(Object field) {
    return Optional.ofNullable(get(field));
  }

  @Override
  Map<Object, Object> all() {
    if (all == null) {
      Map<Object, Object> read = new LinkedHashMap<>();
      JsonMembers found = members();
      Effort.current().make((long) ELEMENTS * found.size());
      for (int member = 0; member < found.size(); member++) {
        read.put(found.name(member), valueOf(member));
      }
      all = Collections.unmodifiableMap(read);
    }
    return all;
  }

  @Override
  public int size() {
    return all().size();
  }

  @Override
  public boolean isEmpty() {
    return members().size() == 0;
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    return all().containsValue(value);
  }

  @Override
  public Set<Object> keySet() {
    return all().keySet();
  }

  @Override
  public Collection<Object> values() {
    return all().values();
  }

  @Override
  public Set<Map.Entry<Object, Object>> entrySet() {
    return all().entrySet();
  }

  @Override
  public Object put(Object key, Object value) {
    throw unmodifiable();
  }

  @Override
  public Object remove(@Nullable Object key) {
    throw unmodifiable();
  }

  @Override
  public void putAll(Map<?, ?> more) {
    throw unmodifiable();
  }

  @Override
  public void clear() {
    throw unmodifiable();
  }
}
