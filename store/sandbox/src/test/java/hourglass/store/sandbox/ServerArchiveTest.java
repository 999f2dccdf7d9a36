package hourglass.store.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Tier;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An archive is made once, and used or passed over; servers start in any case. */
class ServerArchiveTest {
  private static final String CODE = Waits.class.getName().replace('.', '/') + ".class";

  @TempDir Path folder;

  private Path archives;
  private Path loaded;
  private JavaCommand command;

  @BeforeEach
  void makeServer() throws IOException {
    archives = folder.resolve("archives");
    loaded = folder.resolve("loaded.log");
    Path jar = folder.resolve("waits.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.putNextEntry(new JarEntry(CODE));
      out.write(Files.readAllBytes(JavaCommand.codeOf(Waits.class).resolve(CODE)));
    }
    List<String> flags = List.of("-Xmx32m", "-Xlog:class+load:file=" + loaded);
    command =
        new JavaCommand(JavaHome.running(), flags, List.of(jar), Waits.class.getName(), List.of());
  }

  @Test
  void theFirstServerStoppedInOrderMakesTheArchive() throws Exception {
    assertThat(classesOfARun()).as("first").doesNotContain("(top)");
    assertThat(classesOfARun()).as("second").contains("Waits source: shared objects file (top)");
    assertThat(archives()).hasSize(1);
  }

  @Test
  @Tag(Tier.IN_FULL)
  void aKilledServerMakesNoArchive() throws Exception {
    SandboxServer server = started();
    SandboxServer beside = started();
    beside.stop();
    server.kill();
    assertThat(archives()).isEmpty();
    try (Stream<Path> left = Files.list(archives)) {
      assertThat(left).noneMatch(file -> file.toString().endsWith(".new"));
    }
    classesOfARun();
    assertThat(archives()).hasSize(1);
  }

  @Test
  @Tag(Tier.IN_FULL)
  void aDamagedArchiveIsIgnored() throws Exception {
    classesOfARun();
    Path archive = archives().get(0);
    byte[] whole = Files.readAllBytes(archive);
    byte[] garbage = whole.clone();
    for (int at = 0; at < garbage.length; at += 97) {
      garbage[at] ^= 0x55;
    }
    byte[] changed = whole.clone();
    changed[changed.length / 2] ^= 1;
    for (byte[] damaged : List.of(garbage, changed, new byte[whole.length])) {
      replace(archive, damaged);
      assertThat(classesOfARun()).contains("Waits source: ").doesNotContain("(top)");
    }
    replace(archive, Arrays.copyOf(whole, whole.length / 2));
    assertThat(classesOfARun()).as("cut short").doesNotContain("(top)");
    assertThat(classesOfARun()).as("made anew").contains("(top)");
  }

  @Test
  void serversStartWithoutAWritableFolder() throws Exception {
    Files.writeString(archives, "a file");
    assertThat(classesOfARun()).contains("Waits source: ");
  }

  private static void replace(Path archive, byte[] bytes) throws IOException {
    Files.delete(archive);
    Files.write(archive, bytes);
  }

  private String classesOfARun() throws Exception {
    started().stop();
    return Files.readString(loaded);
  }

  private SandboxServer started() throws Exception {
    SandboxServer server = new SandboxServer("waits", command, folder, archives);
    server.launch();
    server.await(SandboxServer.startEndNanos(), () -> server.output().contains("waiting"));
    return server;
  }

  private List<Path> archives() throws IOException {
    try (Stream<Path> all = Files.list(archives)) {
      return all.filter(file -> file.toString().endsWith(".jsa")).toList();
    }
  }
}
