package hourglass.load.event;

import hourglass.load.command.LoadTask;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the fields of a file's events. */
public final class MappingOptions {
  @Option(
      names = "--type-field",
      paramLabel = "NAME",
      description = "Field with the type of an event; a.b is a path.")
  private String typeField = Mapping.TYPE_FIELD;

  @Option(names = "--time-field", paramLabel = "NAME", description = "Field with its time.")
  private String timeField = Mapping.TIME_FIELD;

  @Option(names = "--id-field", paramLabel = "NAME", description = "Field with its id.")
  private String idField = Mapping.ID_FIELD;

  @Option(names = "--type", paramLabel = "TYPE", description = "One type for all events.")
  private @Nullable String type;

  public Mapping mapping() {
    return new Mapping(typeField, timeField, idField, type);
  }

  public JsonObject figures(LoadTask command) {
    return command.figures("--type-field", "--time-field", "--id-field", "--type");
  }
}
