package hourglass.load.event;

import hourglass.load.command.LoadTask;
import io.vertx.core.json.JsonObject;
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

  public JsonObject figures(LoadTask command) {
    return command.figures("--type-field", "--time-field", "--id-field", "--type");
  }
}
