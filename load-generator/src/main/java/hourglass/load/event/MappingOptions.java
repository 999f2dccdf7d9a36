package hourglass.load.event;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The fields of a file's events. */
public final class MappingOptions {
  @Option(
      names = "--type-field",
      paramLabel = "NAME",
      defaultValue = Mapping.TYPE_FIELD,
      description = "Field with the type of an event; a.b is a path.")
  private String typeField;

  @Option(
      names = "--time-field",
      paramLabel = "NAME",
      defaultValue = Mapping.TIME_FIELD,
      description = "Field with its time.")
  private String timeField;

  @Option(
      names = "--id-field",
      paramLabel = "NAME",
      defaultValue = Mapping.ID_FIELD,
      description = "Field with its id.")
  private String idField;

  @Option(names = "--type", paramLabel = "TYPE", description = "One type for all events.")
  private @Nullable String type;

  public Mapping mapping() {
    return new Mapping(typeField, timeField, idField, type);
  }

  public Map<String, @Nullable Object> figures() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("type_field", typeField);
    figures.put("time_field", timeField);
    figures.put("id_field", idField);
    figures.put("type", type);
    return figures;
  }
}
