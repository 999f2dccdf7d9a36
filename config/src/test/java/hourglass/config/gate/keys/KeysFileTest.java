package hourglass.config.gate.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class KeysFileTest {
  private static final KeyGrants QUERY = new KeyGrants(Set.of(Scope.QUERY), List.of(), null, 0);
  private static final KeyGrants NOTHING_NEW = new KeyGrants(Set.of(), List.of(), null, 0);

  @TempDir Path folder;

  private KeysFile file() {
    return new KeysFile(folder.resolve("keys.conf"));
  }

  @Test
  void theListContainsTheLimitsOfAKey() throws IOException {
    Path keys = folder.resolve("keys.conf");
    Files.writeString(
        keys,
        """
        keys {
          ada { secrets = [], scopes = [ingest], limits { requests = 2, bytes-per-second = 7 } }
          bob { secrets = [], scopes = [ingest] }
        }
        """);
    assertThat(list("--file=" + keys).lines())
        .containsExactly(
            "ada                  scopes ingest, types *, never expires, limits bytes-per-second=7"
                + " requests=2, secrets ",
            "bob                  scopes ingest, types *, never expires, secrets ");
    JsonArray json = new JsonArray(list("--file=" + keys, "--json"));
    assertThat(json.getJsonObject(0).getJsonObject("limits"))
        .isEqualTo(new JsonObject("{\"bytes-per-second\":7,\"requests\":2}"));
    assertThat(json.getJsonObject(1).getJsonObject("limits")).isEqualTo(new JsonObject());
  }

  private static String list(String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine list = new CommandLine(new ListKeysCommand()).setOut(new PrintWriter(out));
    assertThat(list.execute(arguments)).isZero();
    return out.toString();
  }

  @Test
  void aNewSecretOpensItsKey() throws IOException {
    String secret = file().add("ada", QUERY);
    assertThat(secret).matches("hg_[A-Za-z0-9_-]{43}");
    Key key = file().read().of(SecretHash.of(secret));
    assertThat(key).isNotNull();
    assertThat(key.name()).isEqualTo("ada");
  }

  @Test
  void theFileIsPrivateAndContainsNoSecret() throws IOException {
    String secret = file().add("ada", QUERY);
    Path path = file().path();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(path)).doesNotContain(secret.substring(3));
  }

  /** An administrator may edit a file that the server reads as another user. */
  @Test
  void changesKeepTheOwnerOfTheFile() throws IOException {
    file().add("ada", QUERY);
    Path path = file().path();
    Files.delete(folder.resolve("keys.conf.lock"));
    if (Files.getOwner(path).getName().equals("root")) { // others may not give files away
      Files.setAttribute(path, "unix:uid", 12_345);
      Files.setAttribute(path, "unix:gid", 12_346);
    }
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
    PosixFileAttributes before = Files.readAttributes(path, PosixFileAttributes.class);
    file().revoke("ada", null);
    assertThat(file().read().all()).isEmpty();
    PosixFileAttributes after = Files.readAttributes(path, PosixFileAttributes.class);
    assertThat(after.fileKey()).as("another file").isNotEqualTo(before.fileKey());
    assertThat(after.owner()).isEqualTo(before.owner());
    assertThat(after.group()).isEqualTo(before.group());
    assertThat(after.permissions()).isEqualTo(before.permissions());
    PosixFileAttributes lock =
        Files.readAttributes(folder.resolve("keys.conf.lock"), PosixFileAttributes.class);
    assertThat(lock.owner()).isEqualTo(before.owner());
    assertThat(lock.group()).isEqualTo(before.group());
  }

  @Test
  void aLinkStaysALink() throws IOException {
    Path real = Files.createDirectory(folder.resolve("etc")).resolve("real.conf");
    Files.writeString(real, "");
    Files.createSymbolicLink(file().path(), real);
    file().add("ada", QUERY);
    assertThat(file().path()).isSymbolicLink();
    assertThat(Files.readString(real)).contains("ada");
    assertThat(folder.resolve("etc")).isDirectoryNotContaining("glob:**.tmp");
  }

  /** A privileged user would otherwise open the target of the link and change its owner. */
  @Test
  void aLinkInPlaceOfTheLockIsNotFollowed() throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "");
    Files.createSymbolicLink(folder.resolve("keys.conf.lock"), other);
    assertThatThrownBy(() -> file().add("ada", QUERY)).isInstanceOf(IOException.class);
    assertThat(file().path()).doesNotExist();
  }

  @Test
  void aFileWritableByOthersIsNoticed() throws IOException {
    file().add("ada", QUERY);
    assertThat(file().isForOthersToWrite()).isFalse();
    for (String permissions : List.of("rw--w----", "rw-----w-")) {
      Files.setPosixFilePermissions(file().path(), PosixFilePermissions.fromString(permissions));
      assertThat(file().isForOthersToWrite()).as(permissions).isTrue();
    }
  }

  @Test
  void secretsRotateWithoutAGap() throws IOException {
    String first = file().add("ada", QUERY);
    String second = file().add("ada", NOTHING_NEW);
    assertThat(file().read().of(SecretHash.of(first))).isNotNull();
    assertThat(file().read().of(SecretHash.of(second))).isNotNull();
    file().revoke("ada", SecretHash.of(first).id());
    assertThat(file().read().of(SecretHash.of(first))).isNull();
    assertThat(file().read().of(SecretHash.of(second))).isNotNull();
    file().revoke("ada", null);
    assertThat(file().read().all()).isEmpty();
  }

  @Test
  void namesMayContainDots() throws IOException {
    file().add("shop.eu", QUERY);
    file().add("shop", QUERY);
    file().revoke("shop", null);
    assertThat(file().read().all()).singleElement().matches(key -> key.name().equals("shop.eu"));
  }

  @Test
  void changesKeepCommentsAndOtherKeys() throws IOException {
    Files.writeString(
        file().path(),
        """
        # who to ask: ops
        keys {
          bob { secrets = [], scopes = [ingest], types = ["shop.*"] } # the shop
        }
        """);
    file().add("ada", QUERY);
    assertThat(Files.readString(file().path()))
        .contains("# who to ask: ops")
        .contains("# the shop");
    assertThat(file().read().named("bob")).isNotNull();
  }

  @Test
  void refusalsNameTheRemedy() {
    assertThatThrownBy(() -> file().add("ada", NOTHING_NEW))
        .hasMessageContaining("is new, and wants a --scope");
    assertThatThrownBy(() -> file().add("a b", QUERY)).hasMessageContaining("letters, digits");
    assertThatThrownBy(() -> file().revoke("ada", null)).hasMessageContaining("no such key");
    assertThatThrownBy(() -> file().read()).hasMessageContaining("no such file");
  }

  @Test
  void aRelativeExpiryCountsFromNow() throws Exception {
    AddKeyCommand add = new AddKeyCommand();
    add.clock = () -> Instant.parse("2026-11-20T08:00:00.5Z");
    String path = file().path().toString();
    String[] arguments = {"ada", "--scope", "query", "--expires", "90d", "--file", path};
    assertThat(new CommandLine(add).execute(arguments)).isZero();
    assertThat(file().read().named("ada").expires())
        .isEqualTo(Instant.parse("2027-02-18T08:00:00Z"));
  }

  @Test
  void aBrokenFileIsNotReplaced() throws IOException {
    Files.writeString(file().path(), "keys { ada {");
    assertThatThrownBy(() -> file().add("bob", QUERY)).isInstanceOf(KeysFileException.class);
    assertThat(Files.readString(file().path())).isEqualTo("keys { ada {");
  }

  @Test
  void concurrentChangesAreAllKept() {
    List<CompletableFuture<String>> adds = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String name = "key" + i;
      adds.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return file().add(name, QUERY);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              }));
    }
    adds.forEach(CompletableFuture::join);
    assertThat(file().read().all()).hasSize(20);
  }

  @Test
  void aRingFollowsTheFileAndKeepsTheLastValidKeys() throws IOException {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    List<String> changes = new ArrayList<>();
    String first = file().add("ada", QUERY);
    try (KeyRing ring =
        KeyRing.open(
            file(),
            meters,
            (before, after) -> changes.add(before.all().size() + ">" + after.all().size()))) {
      String second = file().add("bob", QUERY);
      ring.refresh();
      assertThat(ring.keys().of(SecretHash.of(second))).isNotNull();
      String good = Files.readString(file().path());
      Files.writeString(file().path(), "keys { ada");
      ring.refresh();
      assertThat(ring.keys().of(SecretHash.of(first))).isNotNull();
      assertThat(meters.get("hourglass.keys.stale").gauge().value()).isEqualTo(1);
      Files.delete(file().path());
      ring.refresh();
      assertThat(ring.keys().all()).hasSize(2);
      Files.writeString(file().path(), good);
      ring.refresh();
      assertThat(meters.get("hourglass.keys.stale").gauge().value()).isZero();
      file().revoke("ada", null);
      ring.refresh();
      assertThat(ring.keys().of(SecretHash.of(first))).isNull();
      assertThat(changes).containsExactly("1>2", "2>1");
    }
  }

  /** A task that throws is never run again. */
  @Test
  void aRingSurvivesErrors() throws IOException {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    file().add("ada", QUERY);
    KeyRing.Listener listener =
        (before, after) -> {
          throw new NoClassDefFoundError("gone");
        };
    try (KeyRing ring = KeyRing.open(file(), meters, listener)) {
      Files.writeString(file().path(), "keys { ada { scopes = [query], types = ${?X} } }");
      ring.refresh();
      assertThat(meters.get("hourglass.keys.stale").gauge().value()).isEqualTo(1);
      Files.writeString(file().path(), "keys {}");
      ring.refresh();
      assertThat(ring.keys().all()).isEmpty();
      ring.refresh();
      assertThat(meters.get("hourglass.keys.stale").gauge().value()).isZero();
    }
  }
}
