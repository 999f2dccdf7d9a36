package hourglass.store.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaHomeTest {
  @TempDir Path folder;

  @Test
  void findsTheFirstJdkSupportedByCassandra() throws IOException {
    Path newer = jdk("a", "25.0.1");
    Path fits = jdk("b", "17.0.15");
    assertThat(JavaHome.find(List.of(folder.resolve("none"), newer, fits, jdk("c", "17"))))
        .isEqualTo(fits);
  }

  @Test
  void namesTheJdkNeededIfNoneIsFound() throws IOException {
    List<Path> homes = List.of(jdk("a", "25.0.1"), jdk("b", "11.0.2"), jdk("c", "seventeen"));
    assertThatThrownBy(() -> JavaHome.find(homes))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("needs a JDK 17", "this one is " + Runtime.version().feature())
        .hasMessageContaining("apt-get install openjdk-17-jdk-headless");
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = Files.createDirectories(folder.resolve(name));
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    assertThat(Files.createFile(java).toFile().setExecutable(true)).isTrue();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }
}
