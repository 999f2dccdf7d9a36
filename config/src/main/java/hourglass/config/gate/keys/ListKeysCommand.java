package hourglass.config.gate.keys;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    description = "Shows the keys of a file, each secret by the first 8 hexadecimals of its hash.")
final class ListKeysCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--file", paramLabel = "FILE", required = true, description = "the file of keys")
  private Path file;

  @Option(names = "--json", description = "as a JSON array")
  private boolean asJson;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  ListKeysCommand() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    return KeyCommand.exitCode(
        spec,
        file,
        () -> {
          Keys keys = new KeysFile(file).read();
          if (asJson) {
            JsonArray array =
                new JsonArray(keys.all().stream().map(ListKeysCommand::json).toList());
            out.println(array.encodePrettily());
          } else {
            keys.all().forEach(key -> out.println(line(key)));
          }
        });
  }

  private static JsonObject json(Key key) {
    return new JsonObject()
        .put("name", key.name())
        .put("scopes", new JsonArray(scopes(key)))
        .put("types", new JsonArray(key.types().texts()))
        .put("expires", key.expires() == null ? null : key.expires().toString())
        .put("limits", new JsonObject(new TreeMap<>(KeysText.named(key.limits()))))
        .put("secrets", new JsonArray(secrets(key)));
  }

  private static String line(Key key) {
    String limits =
        KeysText.named(key.limits()).entrySet().stream()
            .map(limit -> " " + limit.getKey() + "=" + limit.getValue())
            .collect(Collectors.joining());
    return "%-20s scopes %s, types %s, %s, %ssecrets %s"
        .formatted(
            key.name(),
            String.join(" ", scopes(key)),
            key.types(),
            key.expires() == null ? "never expires" : "expires " + key.expires(),
            limits.isEmpty() ? "" : "limits" + limits + ", ",
            String.join(" ", secrets(key)));
  }

  private static List<String> scopes(Key key) {
    return key.scopes().stream().map(Scope::text).sorted().toList();
  }

  private static List<String> secrets(Key key) {
    return key.secrets().stream().map(SecretHash::id).toList();
  }
}
