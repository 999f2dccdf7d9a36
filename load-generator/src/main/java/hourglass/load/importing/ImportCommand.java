package hourglass.load.importing;

import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.command.ServerOptions;
import hourglass.command.WrongOptionException;
import hourglass.load.client.ClientOptions;
import hourglass.load.client.ServerMetrics;
import hourglass.load.client.TargetClient;
import hourglass.load.client.TargetOptions;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadTask;
import hourglass.load.event.MappingOptions;
import hourglass.load.send.LoadRun;
import hourglass.load.send.RunReport;
import hourglass.load.send.SendSettings;
import hourglass.load.send.Tally;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The command {@code hourglass import}. Its exit codes are 0 if all events are stored, 1 if some
 * are not, 2 for wrong usage. A repeated import stores no event with a time twice, because the
 * server recognizes such events by their place in the file.
 */
@Command(
    name = "import",
    description = {
      "Sends files or the standard input to a server: JSON lines, a JSON array, or any lines of text,"
          + " plain, gzip or zstd.",
      "Asks first what the server makes of their beginning. Exit code 1 if not all is stored."
    })
public final class ImportCommand extends LoadTask {
  private static final int CONNECTIONS = 2;

  /**
   * The time after the last answer that the figures of a run include, for the work of the store.
   */
  private static final Duration SETTLE = Duration.ofSeconds(3);

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "The files; - is the standard input.")
  private List<String> names;

  @Mixin private ServerOptions server;

  @Mixin private MappingOptions fields;

  @Option(
      names = "--default-type",
      paramLabel = "TYPE",
      description = "Type of events without one. Default: as the server is set, mostly events.")
  private @Nullable String defaultType;

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description = "Zone of times without an offset, as in Europe/Berlin, +01:00 or UTC.")
  private @Nullable String timeZone;

  @Option(
      names = "--received",
      description =
          "Gives events whose time is missing or cannot be read the time of receipt, even if that"
              + " are most of them.")
  private boolean takesReceipt;

  @Option(
      names = "--mixed",
      description =
          "Lines that are no JSON are text, also where a file begins with JSON. Without it they are"
              + " refused there.")
  private boolean isMixed;

  @Option(
      names = "--give-up-after",
      defaultValue = "60s",
      description = "How long one request is tried again before the import ends.")
  private Duration giveUpAfter;

  @Option(
      names = "--figures",
      description = "Prints the figures of a benchmark too: speed, latencies, CPU time.")
  private boolean hasFigures;

  @Mixin private ClientOptions client;

  private final InputStream stdin;

  /**
   * Creates the command. Its default target is that of the environment, which is safe because this
   * command only sends data; a mere load must not reach a server by a variable.
   *
   * @param stdin read if - is among the names
   */
  @SuppressWarnings("NullAway.Init") // picocli fills the fields
  public ImportCommand(InputStream stdin) {
    this.stdin = stdin;
  }

  @Override
  protected boolean run() throws IOException, InterruptedException {
    client.check(this);
    URI target = target();
    names.forEach(this::checkName);
    require(
        timeZone == null || isZone(timeZone),
        "--time-zone",
        timeZone,
        "a zone such as Europe/Berlin, an offset such as +01:00, or UTC");
    List<Input> inputs = names.stream().map(name -> Input.of(name, stdin, isMixed)).toList();
    ProgressLine progress = ProgressLine.on(err());
    try (TargetClient to = client.of(List.of(target), target, CONNECTIONS, environment)) {
      FirstLook look = new FirstLook(to, query(), giveUpAfter, nanos);
      for (Input input : inputs) {
        input.readBeginning();
        if (!takesReceipt) {
          look.check(input);
        }
      }
      BatchPlaces places = new BatchPlaces();
      SendSettings settings =
          new SendSettings(
              CONNECTIONS,
              0,
              places::key,
              batch -> query() + "&first_place=" + places.first(batch),
              look,
              giveUpAfter);
      LoadRun run = new LoadRun(to, to, settings, SETTLE, nanos, progress, onSignal);
      return send(run, inputs, places);
    }
  }

  private URI target() {
    try {
      URI target = new URI(server.url(environment));
      require(TargetOptions.isHttp(target), "--target", target, "http(s)://HOST:PORT");
      return target;
    } catch (URISyntaxException e) {
      throw wrongUsage("--target: " + e.getMessage());
    } catch (WrongOptionException e) {
      throw wrongUsage(e.getMessage() + "; load replay sends to a topic");
    }
  }

  private static boolean isZone(String text) {
    try {
      return !ZoneId.of(text).getId().isEmpty();
    } catch (DateTimeException e) {
      return false;
    }
  }

  private void checkName(String name) {
    boolean isFile = Files.isReadable(Path.of(name)) && !Files.isDirectory(Path.of(name));
    boolean isOnce = names.stream().filter(name::equals).count() == 1;
    require(
        (isFile || name.equals(Input.STDIN)) && isOnce,
        "FILE",
        name,
        "files that can be read, or - for the standard input, each once");
  }

  private boolean send(LoadRun run, List<Input> inputs, BatchPlaces places)
      throws IOException, InterruptedException {
    ImportTally tally = new ImportTally(places);
    Tally sending = new Tally(nanos.now(), tally);
    ImportSource source = new ImportSource(inputs, places);
    Supplier<String> line = () -> line(inputs, places, tally, sending);
    RunReport figures = null;
    String stopped = null;
    try {
      if (hasFigures) {
        figures = run.measured(source, sending, line, ServerMetrics.of(run.client()));
      } else {
        run.send(source, sending, line);
      }
    } catch (LoadFailure e) {
      stopped = e.getMessage();
    }
    boolean areLines = inputs.stream().allMatch(input -> input.form().unit().equals("line"));
    ImportReport report =
        new ImportReport(
            inputs.stream().map(Input::name).toList(),
            target().toString(),
            places.items(),
            areLines ? "line" : "event",
            tally.state(),
            sending,
            stopped != null ? stopped : reason(sending));
    out().print(report.lines());
    if (figures != null) {
      out().print(figures.lines(null));
    }
    out().flush();
    JsonObject all =
        report
            .figures()
            .put("settings", settings())
            .put("run", figures == null ? null : figures.figures());
    client.json.write(all);
    return report.isWhole();
  }

  private static @Nullable String reason(Tally sending) {
    String stopped = sending.signal.reason();
    return LoadRun.SIGNAL.equals(stopped)
        ? "by a signal; a repeat of the command stores nothing twice that has a time"
        : stopped;
  }

  private static String line(
      List<Input> inputs, BatchPlaces places, ImportTally tally, Tally sending) {
    long size = inputs.stream().mapToLong(Input::sizeBytes).sum();
    boolean areFiles = inputs.stream().allMatch(input -> input.sizeBytes() > 0);
    long read = inputs.stream().mapToLong(Input::readBytes).sum();
    ImportTally.State state = tally.state();
    return FigureText.format(
        "import: %s%,d read, %,d stored%s%s",
        areFiles ? 100 * Math.min(read, size) / size + " %, " : "",
        places.items(),
        state.stored(),
        state.refused() == 0 ? "" : FigureText.format(", %,d refused", state.refused()),
        sending.failure().isEmpty() ? "" : "; trying again: " + sending.failure());
  }

  /** Returns the parameters of each request, with their question mark. */
  private String query() {
    String mapping = fields.mapping().query();
    StringBuilder query = new StringBuilder(mapping.isEmpty() ? "?" : mapping + "&");
    query.append("identity=place");
    parameter(query, "default_type", defaultType);
    parameter(query, "time_zone", timeZone);
    parameter(query, "on_bad_time", takesReceipt ? "receipt" : null);
    return query.toString();
  }

  private static void parameter(StringBuilder query, String name, @Nullable String value) {
    if (value != null) {
      String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
      query.append('&').append(name).append('=').append(encoded);
    }
  }

  private JsonObject settings() {
    return fields
        .figures(this)
        .mergeIn(
            figures("--default-type", "--time-zone", "--received", "--mixed", "--give-up-after"))
        .mergeIn(figures("--timeout"));
  }
}
