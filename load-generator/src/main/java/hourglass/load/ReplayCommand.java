package hourglass.load;

import hourglass.command.Range;
import hourglass.load.event.MappingOptions;
import hourglass.load.send.FileSource;
import hourglass.load.send.SendOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "replay", description = "Sends the lines of an NDJSON file, plain, gzip or zstd.")
final class ReplayCommand extends SendTask {
  @Parameters(
      paramLabel = "FILE",
      description = "One JSON object a line; blank lines are left out.")
  private Path file;

  @Mixin private MappingOptions fields;

  @Option(names = "--events", description = "At most that many, from the start.")
  @Range("1 or more")
  private @Nullable Long events;

  @Mixin private SendOptions send;

  @Override
  protected boolean run() throws IOException, InterruptedException {
    checkTarget();
    send.check(this);
    require(Files.isReadable(file) && !Files.isDirectory(file), "FILE", file, "a readable file");
    long eventsMax = events == null ? Long.MAX_VALUE : events;
    FileSource source = new FileSource(file, send.batch, eventsMax);
    JsonObject settings =
        new JsonObject()
            .put("file", file.toString())
            .mergeIn(fields.figures(this))
            .put("events_max", events);
    boolean prepared = Boolean.TRUE.equals(send.prepare);
    return run("replay", source, fields.mapping(), send, prepared, settings);
  }
}
