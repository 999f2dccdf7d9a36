package hourglass.query.where;

import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelVariableResolver;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonPath;
import hourglass.bytes.JsonScan;
import hourglass.query.filter.EventParts;
import hourglass.query.filter.Words;
import hourglass.query.line.StreamLabels;
import hourglass.store.Columns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The variables of one event for the CEL library. */
final class OracleVariables implements CelVariableResolver {
  /** Precedes the name of a field: its value, and whether it is present. */
  static final String FIELD = "data.";

  static final String HAS = "has.";

  /** Precedes a text: whether the payload contains the words. */
  static final String WORDS = "words.";

  private final Columns columns;
  private final int i;
  private final String type;

  OracleVariables(Columns columns, int i, String type) {
    this.columns = columns;
    this.i = i;
    this.type = type;
  }

  @Override
  public Optional<Object> find(String name) {
    return switch (name) {
      case EventValues.DATA -> Optional.of(data());
      case EventValues.TYPE -> Optional.of(type);
      case EventValues.TIME -> Optional.of(Ticks.toInstant(columns.ticks(i)));
      case EventValues.ID -> Optional.of(columns.id(i).toString());
      case EventValues.LEVEL ->
          Optional.of(EventParts.level(columns, i, type, StreamLabels.STANDARD));
      default -> ofPayload(name);
    };
  }

  private Optional<Object> ofPayload(String name) {
    if (name.startsWith(WORDS)) {
      boolean isObject = data() instanceof Map;
      return Optional.of(
          isObject && new Words(name.substring(WORDS.length())).inPayload().isIn(columns, i));
    }
    if (name.startsWith(HAS)) {
      return Optional.of(field(name.substring(HAS.length())).isPresent());
    }
    if (!name.startsWith(FIELD)) {
      return Optional.empty();
    }
    Optional<Object> value = field(name.substring(FIELD.length()));
    if (value.isEmpty()) {
      throw CelAttributeNotFoundException.forMissingMapKey(name);
    }
    return value;
  }

  private Optional<Object> field(String name) {
    if (!(data() instanceof Map)) {
      return Optional.empty();
    }
    JsonPath path = new JsonPath(name, () -> false);
    int from = columns.offset(i);
    return path.find(columns.bytes(), from, from + columns.length(i))
        ? Optional.of(library(JsonValue.of(columns.bytes(), path.from(), path.to())))
        : Optional.empty();
  }

  private Object data() {
    int end = columns.offset(i) + columns.length(i);
    int from = JsonScan.skipSpace(columns.bytes(), columns.offset(i), end);
    int to = JsonScan.skipValue(columns.bytes(), from, end);
    return library(JsonValue.of(columns.bytes(), from, to));
  }

  /** A value as the library has it. */
  private static Object library(Object value) {
    if (value instanceof List<?> list) {
      List<Object> copy = new ArrayList<>();
      list.forEach(element -> copy.add(library(element)));
      return copy;
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new LinkedHashMap<>();
      map.forEach((key, element) -> copy.put(key, library(element)));
      return copy;
    }
    return value == Special.NULL ? NullValue.NULL_VALUE : value;
  }

  /** A value of the library, or of an expression, as an expression has it, and comparable. */
  static Object ours(Object value) {
    if (value instanceof List<?> list) {
      List<Object> copy = new ArrayList<>();
      list.forEach(element -> copy.add(ours(element)));
      return copy;
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new LinkedHashMap<>();
      map.forEach((key, element) -> copy.put(key, ours(element)));
      return copy;
    }
    if (value instanceof TypeType type) {
      return new TypeName(
          type.equals(TypeType.create(dev.cel.common.types.SimpleType.DYN))
              ? "type"
              : type.type().name());
    }
    return value instanceof NullValue ? Special.NULL : value;
  }
}
