package hourglass.config.gate.keys;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "add",
    description = {
      "Makes a key, or one more secret for a key that is there, and prints the secret, once.",
      "The file has only its SHA-256. Options that are given replace those of the key."
    })
final class AddKeyCommand implements Callable<Integer> {
  private static final Pattern DAYS_OR_HOURS = Pattern.compile("([1-9]\\d{0,5})([dh])");

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "whose key it is, as logs and limits name it")
  private String name;

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      converter = ToScope.class,
      description = "what it is for: ingest, query, metrics or admin; may be repeated")
  private Set<Scope> scopes = EnumSet.noneOf(Scope.class);

  @Option(
      names = "--types",
      paramLabel = "TYPE,...",
      split = ",",
      description = "event types it may push and read, * for any text (default: all)")
  private List<String> types = new ArrayList<>();

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      converter = ToTime.class,
      description = "when it ends: in so many days or hours, as in 90d, or at 2027-01-01T00:00:00Z")
  private @Nullable Expiry expires;

  @Option(
      names = "--events-per-second",
      paramLabel = "N",
      description = "how many events it may push (default: limits.events-per-second)")
  private long eventsPerSecond;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      required = true,
      description = "the file of keys; made if it is not there, for its owner alone")
  private Path file;

  InstantSource clock = InstantSource.system();

  @SuppressWarnings("NullAway.Init") // picocli fills it
  AddKeyCommand() {}

  @Override
  public Integer call() {
    if (eventsPerSecond < 0) {
      throw new ParameterException(spec.commandLine(), "--events-per-second: want 1 or more");
    }
    return KeyCommand.exitCode(
        spec,
        file,
        () -> {
          KeyGrants grants =
              new KeyGrants(
                  scopes,
                  types,
                  expires == null ? null : expires.after(clock.instant()),
                  eventsPerSecond);
          String secret = new KeysFile(file).add(name, grants);
          spec.commandLine().getOut().println(secret);
        });
  }

  static final class ToScope implements ITypeConverter<Scope> {
    @Override
    public Scope convert(String text) {
      try {
        return Scope.of(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  /** A time, or a duration from now. */
  interface Expiry {
    Instant after(Instant now);
  }

  static final class ToTime implements ITypeConverter<Expiry> {
    @Override
    public Expiry convert(String text) {
      Matcher span = DAYS_OR_HOURS.matcher(text);
      if (span.matches()) {
        long hours = Long.parseLong(span.group(1)) * (span.group(2).equals("d") ? 24 : 1);
        return now -> now.truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofHours(hours));
      }
      try {
        Instant time = Instant.parse(text);
        return now -> time;
      } catch (DateTimeException e) {
        throw new TypeConversionException(
            "\"" + text + "\": want days or hours such as 90d, or 2027-01-01T00:00:00Z");
      }
    }
  }
}
