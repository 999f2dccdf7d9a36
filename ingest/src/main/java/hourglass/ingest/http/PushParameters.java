package hourglass.ingest.http;

import hourglass.ingest.decode.FieldMapping;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The query parameters of a push. */
final class PushParameters {
  private static final List<String> KNOWN = List.of("type_field", "time_field", "id_field", "type");

  private PushParameters() {}

  /**
   * The mapping that the parameters ask for.
   *
   * @throws PushRefused with the parameter, its value and the allowed values
   */
  static FieldMapping mapping(MultiMap parameters) {
    if (parameters.isEmpty()) {
      return FieldMapping.DEFAULT;
    }
    for (Map.Entry<String, String> parameter : parameters) {
      check(parameters, parameter.getKey());
    }
    FieldMapping standard = FieldMapping.DEFAULT;
    try {
      return new FieldMapping(
          or(parameters.get("type_field"), standard.typeField()),
          or(parameters.get("time_field"), standard.timeField()),
          or(parameters.get("id_field"), standard.idField()),
          parameters.get("type"));
    } catch (IllegalArgumentException e) {
      throw new PushRefused(PushRefused.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  private static void check(MultiMap parameters, String name) {
    if (!KNOWN.contains(name)) {
      throw new PushRefused(
          PushRefused.BAD_REQUEST, "parameter \"" + name + "\": unknown, want one of " + KNOWN);
    }
    List<String> values = parameters.getAll(name);
    if (values.size() > 1) {
      throw new PushRefused(PushRefused.BAD_REQUEST, name + ": " + values + ", want one value");
    }
  }

  private static String or(@Nullable String value, String standard) {
    return value == null ? standard : value;
  }
}
