package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Tier;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of a server with keys, in a real browser. */
@Order(11)
@Timeout(value = BrowserChecks.TIMEOUT_HOURS, unit = TimeUnit.HOURS)
@Tag(Tier.IN_FULL)
class SignInIT {
  private static final int EVENTS = 20_000;
  private static final String HOUR = "2026-11-20T08";

  /** One that the generator makes. */
  private static final String TYPE = "page_view";

  @TempDir Path folder;

  @Test
  void aReaderSignsInAndSeesTheTypesOfTheKey() throws Exception {
    BrowserChecks.requireTools();
    JsonObject secrets =
        new JsonObject()
            .put("ada", add("ada", "--scope=query", "--scope=metrics"))
            .put("bob", add("bob", "--scope=query", "--types=" + TYPE))
            .put("eve", add("eve", "--scope=query"))
            .put("mon", add("mon", "--scope=metrics"))
            .put("pusher", add("pusher", "--scope=ingest"));
    generate();
    try (ServerProcess server = ServerProcess.start(folder, "keys.file=" + keys())) {
      List<String> command =
          List.of(
              "node",
              "src/test/e2e/page.mjs",
              server.address(),
              "--hour=" + HOUR,
              "--total=" + EVENTS,
              "--types=" + TYPE,
              "--signin",
              "--only=signin",
              "--screenshots=" + Path.of("target/screenshots/signin").toAbsolutePath());
      Map<String, String> environment = Map.of("KEYS", secrets.encode());
      BrowserChecks.run(command, environment, Map.of("revoke", name -> key("revoke", name)));
    }
  }

  /** Fills the server before it has keys. */
  private void generate() throws Exception {
    try (ServerProcess server = ServerProcess.start(folder)) {
      Program.Result load =
          Program.run(
              folder,
              "load",
              "generate",
              "--target=" + server.address(),
              "--events=" + EVENTS,
              "--hour=" + HOUR,
              "--settle=0s");
      assertThat(load.exit()).as(load.err()).isZero();
      assertThat(server.terminate()).isZero();
    }
  }

  private String add(String... nameAndOptions) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("add"));
    arguments.addAll(Arrays.asList(nameAndOptions));
    return key(arguments.toArray(String[]::new)).strip();
  }

  private String key(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("key"));
    command.addAll(Arrays.asList(arguments));
    command.add("--file=" + keys());
    Program.Result result = Program.run(folder, command.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out();
  }

  private Path keys() {
    return folder.resolve("keys.conf");
  }
}
