package hourglass.query.where;

import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelValue;
import dev.cel.common.values.SelectableValue;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as a map of CEL, over its bytes: one pass finds the members, and only values that
 * are asked for are read. Of members with one name the last counts.
 *
 * <p>It is a {@link CelValue}, since the library copies every other kind of map, with all that is
 * in it, each time an expression names it. Used by one thread at a time; never changed from
 * outside.
 */
@SuppressWarnings("Immutable") // what it keeps follows from bytes that never change
final class JsonObject extends CelValue implements SelectableValue<Object>, Map<Object, Object> {
  private static final CelType TYPE = MapType.create(SimpleType.STRING, SimpleType.DYN);

  private final byte[] bytes;
  private final JsonMembers members;
  private final @Nullable Object[] values;
  private @Nullable Map<Object, Object> all;

  /** The object in {@code [from, to)}. */
  JsonObject(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    members = new JsonMembers(bytes, from, to);
    values = new @Nullable Object[members.size()];
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    int member = key instanceof String name ? members.find(name) : -1;
    return member < 0 ? null : valueOf(member);
  }

  private Object valueOf(int member) {
    Object value = values[member];
    if (value == null) {
      value = JsonValue.of(bytes, members.valueFrom(member), members.valueTo(member));
      values[member] = value;
    }
    return value;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return key instanceof String name && members.find(name) >= 0;
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

  /** All members, for what is seldom asked: walks, sizes, comparisons. */
  private Map<Object, Object> all() {
    if (all == null) {
      Map<Object, Object> read = new LinkedHashMap<>();
      for (int member = 0; member < members.size(); member++) {
        read.put(members.name(member), valueOf(member));
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
    return members.size() == 0;
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
    throw new UnsupportedOperationException();
  }

  @Override
  public Object remove(@Nullable Object key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void putAll(Map<?, ?> more) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object value() {
    return this;
  }

  @Override
  public boolean isZeroValue() {
    return isEmpty();
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return all().equals(other);
  }

  @Override
  public int hashCode() {
    return all().hashCode();
  }

  @Override
  public String toString() {
    return all().toString();
  }
}
