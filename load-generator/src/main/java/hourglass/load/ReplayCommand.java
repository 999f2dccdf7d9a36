package hourglass.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "replay", description = "Sends the lines of an NDJSON file, plain or gzip.")
final class ReplayCommand extends LoadSubcommand {
  @Parameters(
      paramLabel = "FILE",
      description = "One JSON object a line; blank lines are left out.")
  @SuppressWarnings("NullAway.Init") // required
  private Path file;

  @Option(
      names = "--type-field",
      paramLabel = "NAME",
      defaultValue = Mapping.TYPE_FIELD,
      description = "Field with the type of an event; a.b is a path.")
  @SuppressWarnings("NullAway.Init") // has a default
  private String typeField;

  @Option(
      names = "--time-field",
      paramLabel = "NAME",
      defaultValue = Mapping.TIME_FIELD,
      description = "Field with its time.")
  @SuppressWarnings("NullAway.Init") // has a default
  private String timeField;

  @Option(
      names = "--id-field",
      paramLabel = "NAME",
      defaultValue = Mapping.ID_FIELD,
      description = "Field with its id.")
  @SuppressWarnings("NullAway.Init") // has a default
  private String idField;

  @Option(names = "--type", paramLabel = "TYPE", description = "One type for all events.")
  private @Nullable String type;

  @Option(names = "--events", paramLabel = "N", description = "At most that many, from the start.")
  private @Nullable Long events;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private SendOptions send;

  @Override
  boolean run() throws IOException, InterruptedException {
    target.check(this);
    send.check(this);
    require(events == null || events > 0, "--events", events, "1 or more");
    require(Files.isReadable(file) && !Files.isDirectory(file), "FILE", file, "a readable file");
    long eventsMax = events == null ? Long.MAX_VALUE : events;
    Mapping mapping = new Mapping(typeField, timeField, idField, type);
    FileSource source = new FileSource(file, send.batch, eventsMax);
    boolean prepared = Boolean.TRUE.equals(send.prepare);
    return new Scenario(this, send, mapping).run("replay", source, prepared, settings());
  }

  private Map<String, @Nullable Object> settings() {
    Map<String, @Nullable Object> settings = new LinkedHashMap<>();
    settings.put("file", file.toString());
    settings.put("type_field", typeField);
    settings.put("time_field", timeField);
    settings.put("id_field", idField);
    settings.put("type", type);
    settings.put("events_max", events);
    return settings;
  }
}
