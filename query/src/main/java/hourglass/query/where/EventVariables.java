package hourglass.query.where;

import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.runtime.CelVariableResolver;
import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonPath;
import hourglass.bytes.JsonScan;
import hourglass.query.filter.Effort;
import hourglass.query.filter.EventParts;
import hourglass.query.line.StreamLabels;
import hourglass.store.Columns;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The CEL variables of one event; the payload is parsed on first use. */
final class EventVariables implements CelVariableResolver {
  static final String DATA = "data";
  static final String TYPE = "type";
  static final String TIME = "time";
  static final String ID = "id";
  static final String LEVEL = StreamLabels.DETECTED_LEVEL;

  /** Before the name of a field: its value, and whether it is there. */
  static final String FIELD = "data.";

  static final String HAS = "has.";

  /** Bytes that are searched for a field in one step of {@link Effort}. */
  private static final int BYTES_A_STEP = 16;

  private final Columns columns;
  private final int i;
  private final String type;
  private @Nullable Object data;
  private int from;
  private int to;
  private final Map<String, Optional<Object>> fields = new HashMap<>();

  EventVariables(Columns columns, int i, String type) {
    this.columns = columns;
    this.i = i;
    this.type = type;
  }

  @Override
  public Optional<Object> find(String name) {
    return switch (name) {
      case DATA -> Optional.of(data());
      case TYPE -> Optional.of(type);
      case TIME -> Optional.of(Ticks.toInstant(columns.ticks(i)));
      case ID -> Optional.of(id());
      case LEVEL -> Optional.of(level());
      default -> ofField(name);
    };
  }

  private Optional<Object> ofField(String name) {
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
    return fields.computeIfAbsent(name, this::search);
  }

  private Optional<Object> search(String name) {
    if (!(data() instanceof Map)) {
      return Optional.empty();
    }
    Effort effort = Effort.current();
    effort.spend((to - from) / BYTES_A_STEP);
    JsonPath path = new JsonPath(name, () -> comparesNames(effort));
    return path.find(columns.bytes(), from, to)
        ? Optional.of(JsonValue.of(columns.bytes(), path.from(), path.to()))
        : Optional.empty();
  }

  /** Counts what a path compares between two looks; ends the work if the client is gone. */
  private static boolean comparesNames(Effort effort) {
    effort.spend(JsonPath.LOOK_EVERY / BYTES_A_STEP);
    effort.look();
    return false;
  }

  String id() {
    return columns.id(i).toString();
  }

  private String level() {
    Effort.current().spend(columns.length(i));
    return EventParts.level(columns, i, type);
  }

  private Object data() {
    if (data == null) {
      int end = columns.offset(i) + columns.length(i);
      from = JsonScan.skipSpace(columns.bytes(), columns.offset(i), end);
      to = JsonScan.skipValue(columns.bytes(), from, end);
      data = JsonValue.ofPayload(columns.bytes(), from, to);
    }
    return data;
  }
}
