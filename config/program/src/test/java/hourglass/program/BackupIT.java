package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Tier;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A running server is backed up and killed; its points are restored, and its folder is repaired.
 */
@Tag(Tier.IN_FIRST)
class BackupIT {
  private static final String DAY = "from=2026-11-20T08:00:00Z&to=2026-11-20T12:00:00Z";

  @TempDir Path folder;

  @Test
  void aRestoredPointIsServedByAnotherServer() throws Exception {
    Path dirs = Files.createDirectories(folder.resolve("backups"));
    Path to = dirs.resolve("daily");
    String first;
    String second;
    try (ServerProcess server =
        ServerProcess.start(
            Files.createDirectories(folder.resolve("a")), "backup.dirs=[\"" + dirs + "\"]")) {
      push(server, 8, 3_000);
      first = backup(server, to);
      push(server, 9, 200);
      second = backup(server, to);
      push(server, 10, 50); // in no point
      refusals(server, dirs);
      assertThat(server.get("/api/v1/backups").body())
          .contains("\"id\":\"" + second + "\"", "\"state\":\"done\"", "\"rows_damaged\":0");
      Path data = folder.resolve("a/data");
      Program.Result inUse = run("check", data.toString());
      assertThat(inUse.exit()).isEqualTo(1);
      assertThat(inUse.err()).contains("in use by process");
      server.kill();
      Program.Result check = run("check", data.toString());
      assertThat(check.exit()).as(check.out()).isZero();
      assertThat(check.out()).contains(data + ": whole");
    }
    Program.Result list = run("backup", "list", "--to", to.toString());
    assertThat(list.out()).contains(first, second, "3,000", "3,200");
    Program.Result verified = run("backup", "verify", "--to", to.toString());
    assertThat(verified.exit()).as(verified.out()).isZero();
    assertThat(verified.out()).startsWith(to + ": whole, 2 points");

    served("b", 3_200, restore(to, "b"));
    served("c", 3_000, restore(to, "c", "--point", first));
    served("d", 200, restore(to, "d", "--hours", "2026-11-20T09..2026-11-20T09"));

    Program.Result pruned = run("backup", "prune", "--to", to.toString(), "--keep", "0s");
    assertThat(pruned.exit()).as(pruned.err()).isZero();
    assertThat(pruned.out()).startsWith("deleted " + first + "\n").contains(": 1 points left");
    assertThat(run("backup", "verify", "--to", to.toString()).exit()).isZero();

    Path pooled = Files.list(to.resolve("pool")).sorted().findFirst().orElseThrow();
    Files.delete(pooled);
    Program.Result damaged = run("backup", "verify", "--to", to.toString());
    assertThat(damaged.exit()).isEqualTo(1);
    assertThat(damaged.out()).contains(pooled + ": missing");
    assertThat(run("check", to.toString())).isEqualTo(damaged);
    assertThat(run("check", to.toString(), "--repair").exit()).isEqualTo(2);
  }

  @Test
  void answersNameTheRowOfADamagedPageThatARepairTookOutOfUse() throws Exception {
    Path dirs = Files.createDirectories(folder.resolve("backups"));
    Path home = Files.createDirectories(folder.resolve("a"));
    Path data = home.resolve("data");
    try (ServerProcess server = ServerProcess.start(home, "backup.dirs=[\"" + dirs + "\"]")) {
      push(server, 8, 100);
      backup(server, dirs.resolve("daily")); // writes pages
      push(server, 9, 200);
      backup(server, dirs.resolve("daily"));
      server.kill();
    }
    try (var file = new RandomAccessFile(firstPages(data).toFile(), "rw")) {
      file.seek(60);
      int was = file.read();
      file.seek(60);
      file.write(was ^ 1);
    }
    Program.Result damaged = run("check", data.toString());
    assertThat(damaged.exit()).isEqualTo(1);
    assertThat(damaged.out()).contains("lost: 100 events of 20112608|shop|0 from 2026-11-20T08:");
    Program.Result repaired = run("check", data.toString(), "--repair");
    assertThat(repaired.exit()).as(repaired.out() + repaired.err()).isZero();
    assertThat(repaired.out())
        .contains("; lost: 100 events of 20112608|shop|0", "1 page files written anew")
        .contains("whole, 200 events in pages, and 100 that a repair took out of use");
    try (ServerProcess server = ServerProcess.start(home, "backup.dirs=[\"" + dirs + "\"]")) {
      backup(server, dirs.resolve("daily"));
      assertThat(server.get("/api/v1/hits?step=1h&" + DAY).body())
          .contains("\"total\":200", "\"complete\":false", "100 events of 20112608|shop|0");
      assertThat(
              server
                  .get("/api/v1/hits?step=1h&from=2026-11-20T09:00:00Z&to=2026-11-20T12:00:00Z")
                  .body())
          .contains("\"total\":200", "\"complete\":true");
    }
    checkThatTheLastPointIsNotWhole(dirs.resolve("daily"));
  }

  private void checkThatTheLastPointIsNotWhole(Path backups) throws Exception {
    String lacking = "1 pages with 100 events that a repair of the store took out of use";
    assertThat(run("backup", "list", "--to", backups.toString()).out())
        .containsOnlyOnce("not whole: it lacks " + lacking);
    Program.Result verified = run("backup", "verify", "--to", backups.toString());
    assertThat(verified.exit()).isZero();
    assertThat(verified.out()).containsOnlyOnce("lacks " + lacking);
    Program.Result restored = restore(backups, "restored");
    assertThat(restored.exit()).isZero();
    assertThat(restored.out()).contains("lacks " + lacking, "restored and verified");
  }

  private static Path firstPages(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("pages"))) {
      return files
          .filter(file -> file.toString().endsWith(".pages"))
          .sorted()
          .findFirst()
          .orElseThrow();
    }
  }

  private void refusals(ServerProcess server, Path dirs) throws Exception {
    Files.createSymbolicLink(dirs.resolve("link"), folder.resolve("a"));
    for (String elsewhere : new String[] {"/elsewhere", dirs + "/../x", dirs + "/link/x"}) {
      Program.Result refused = ask(server, "backup", "--to", elsewhere);
      assertThat(refused.exit()).as(elsewhere).isEqualTo(1);
      assertThat(refused.err())
          .contains("is not below a folder of backup.dirs; want one below " + dirs);
    }
    assertThat(ask(server, "backup").exit()).isEqualTo(2);
    assertThat(server.post("/api/v1/backups", "application/json", "{}").body())
        .contains("want {\\\"to\\\"");
  }

  private String backup(ServerProcess server, Path to) throws Exception {
    Program.Result made = ask(server, "backup", "--to", to.toString());
    assertThat(made.exit()).as(made.err()).isZero();
    assertThat(made.out()).matches("\\d{6}-\\d{8}T\\d{6}Z\n");
    return made.out().strip();
  }

  private Program.Result restore(Path from, String name, String... more) throws Exception {
    String[] arguments = {"restore", "--from", from + "", "--data", folder.resolve(name) + "/data"};
    return run(Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new));
  }

  private void served(String name, int events, Program.Result restored) throws Exception {
    assertThat(restored.exit()).as(restored.out() + restored.err()).isZero();
    assertThat(restored.out())
        .contains("restored and verified", " with %,d events".formatted(events));
    try (ServerProcess server = ServerProcess.start(folder.resolve(name))) {
      assertThat(server.get("/api/v1/hits?step=1h&" + DAY).body())
          .contains("\"total\":" + events, "\"complete\":true");
      push(server, 11, 10);
      assertThat(server.get("/api/v1/hits?step=1h&" + DAY).body())
          .contains("\"total\":" + (events + 10), "\"complete\":true");
    }
  }

  private static void push(ServerProcess server, int hour, int count) throws Exception {
    String body =
        IntStream.range(0, count)
            .mapToObj(
                n ->
                    "{\"type\":\"shop\",\"time\":\"2026-11-20T%02d:%02d:00Z\",\"n\":%d}\n"
                        .formatted(hour, n % 60, n))
            .collect(Collectors.joining());
    assertThat(server.post("/api/v1/events", "application/x-ndjson", body).statusCode())
        .isEqualTo(200);
  }

  private Program.Result ask(ServerProcess server, String... arguments) throws Exception {
    return Program.run(folder, Map.of("HOURGLASS_TARGET", server.address()), arguments);
  }

  private Program.Result run(String... arguments) throws Exception {
    return Program.run(folder, arguments);
  }
}
