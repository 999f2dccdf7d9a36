package hourglass.config.terminal;

import hourglass.command.WrongOptionException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what to erase. */
final class EraseOptions {
  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "Only events of this type; may be repeated. Default: all types.")
  private List<String> types = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "The first time: RFC 3339 with any offset (without one: UTC), an hour, or a day from its"
              + " begin. Required, but with --id.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description =
          "The first time that is not included, in the same forms. Required, but with --id.")
  private @Nullable String to;

  @Option(
      names = "--where",
      paramLabel = "CEL",
      description = "Events for which this is true, as in 'data.user == 7'; 'true' for all.")
  private @Nullable String where;

  @Option(
      names = "--contains",
      paramLabel = "TEXT",
      description = "Events with this text in their payload.")
  private @Nullable String contains;

  @Option(names = "--icase", description = "--contains ignores case.")
  private boolean ignoresCase;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "The event with this id; may be repeated.")
  private List<String> ids = new ArrayList<>();

  @Option(
      names = "--fields",
      split = ",",
      paramLabel = "FIELD",
      description =
          "Replaces only these members by null, as in data.user,data.mail, and keeps the events.")
  List<String> fields = new ArrayList<>();

  @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, for the audit file.")
  private @Nullable String reason;

  /**
   * Returns the body of a dry run.
   *
   * @throws WrongOptionException if the options do not fit together, or one is not a time
   */
  JsonObject selection(Instant now) {
    List<String> given =
        Stream.of(
                where == null ? "" : "--where",
                contains == null ? "" : "--contains",
                ids.isEmpty() ? "" : "--id")
            .filter(name -> !name.isEmpty())
            .toList();
    if (given.size() != 1) {
      throw new WrongOptionException(
          "%s, want exactly one of --where, --contains, --id; --where true selects all events of"
                  .formatted(given.isEmpty() ? "--where: absent" : String.join(" and ", given))
              + " the types and the range");
    }
    if (ignoresCase && contains == null) {
      throw new WrongOptionException("--icase: given without --contains");
    }
    JsonObject selection = new JsonObject();
    put(selection, "types", types);
    if (ids.isEmpty() || from != null || to != null) {
      selection.put("from", time("--from", from, now)).put("to", time("--to", to, now));
    }
    put(selection, "where", where);
    put(selection, "contains", contains);
    if (ignoresCase) {
      selection.put("icase", true);
    }
    put(selection, "ids", ids);
    put(selection, "fields", fields);
    put(selection, "reason", reason);
    return selection;
  }

  private static String time(String option, @Nullable String text, Instant now) {
    if (text == null) {
      throw new WrongOptionException(option + ": absent, want a time such as 2026-11-20T08:00:00Z");
    }
    return TypedTime.time(option, text, now);
  }

  private static void put(JsonObject to, String name, @Nullable String value) {
    if (value != null) {
      to.put(name, value);
    }
  }

  private static void put(JsonObject to, String name, List<String> values) {
    if (!values.isEmpty()) {
      to.put(name, new JsonArray(values));
    }
  }
}
