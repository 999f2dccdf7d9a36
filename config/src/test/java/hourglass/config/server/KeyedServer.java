package hourglass.config.server;

import hourglass.config.gate.keys.KeyGrants;
import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import hourglass.config.settings.Settings;
import hourglass.config.settings.SettingsSources;
import io.vertx.ext.web.Route;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The program in this process, with a file of keys. */
final class KeyedServer implements AutoCloseable {
  final KeysFile keys;
  private final Hourglass program;

  KeyedServer(Path folder, KeysFile keys, String... assignments) throws IOException {
    this.keys = keys;
    List<String> all = new ArrayList<>(Arrays.asList(assignments));
    all.add("http.port=0");
    all.add("keys.file=" + keys.path());
    all.add("store.embedded.dir=" + folder.resolve("data"));
    Path empty = Files.writeString(folder.resolve("empty.conf"), "");
    Settings settings = Settings.load(new SettingsSources(empty, Map.of(), all));
    program = Hourglass.start(settings, Clock.systemUTC());
  }

  /** The new secret of a key for some types, separated by commas. */
  static String add(KeysFile keys, String name, String types, Instant expires, Scope... scopes)
      throws IOException {
    Set<Scope> set = Arrays.stream(scopes).collect(Collectors.toSet());
    return keys.add(name, new KeyGrants(set, List.of(types.split(",", -1)), expires, 0));
  }

  URI uri(String path) {
    return URI.create(program.address() + path);
  }

  List<Route> routes() {
    return program.routes();
  }

  @Override
  public void close() {
    program.close();
  }
}
