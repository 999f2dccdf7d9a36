package hourglass.query.where;

import dev.cel.runtime.CelVariableResolver;
import hourglass.bucketing.Ticks;
import hourglass.query.where.json.JsonScan;
import hourglass.query.where.json.JsonValue;
import hourglass.store.Columns;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The CEL variables of one event; the payload is parsed on first use. */
final class EventVariables implements CelVariableResolver {
  static final String DATA = "data";
  static final String TYPE = "type";
  static final String TIME = "time";
  static final String ID = "id";

  private final Columns columns;
  private final int i;
  private final String type;
  private @Nullable Object data;

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
      default -> Optional.empty();
    };
  }

  String id() {
    return columns.id(i).toString();
  }

  private Object data() {
    if (data == null) {
      int end = columns.offset(i) + columns.length(i);
      int from = JsonScan.skipSpace(columns.bytes(), columns.offset(i), end);
      int to = JsonScan.skipValue(columns.bytes(), from, end);
      data = JsonValue.of(columns.bytes(), from, to);
    }
    return data;
  }
}
