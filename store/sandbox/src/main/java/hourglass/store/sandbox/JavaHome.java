package hourglass.store.sandbox;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

final class JavaHome {
  /** Cassandra 5.0 runs on 11 and 17 only, and the watchdog on 17 and newer. */
  static final int FOR_CASSANDRA = 17;

  private static final List<Path> USUAL_PLACES =
      List.of(
          Path.of("/usr/lib/jvm"),
          Path.of("/opt/java"),
          Path.of("/Library/Java/JavaVirtualMachines"),
          Path.of(System.getProperty("user.home"), ".sdkman/candidates/java"),
          Path.of(System.getProperty("user.home"), ".jdks"));

  private JavaHome() {}

  static Path running() {
    return Path.of(System.getProperty("java.home"));
  }

  /**
   * Returns the running JDK if it suits; else one from the environment (such as {@code
   * JAVA17_HOME}), from the folder that contains the running one, or from a usual place.
   */
  static Path forCassandra() {
    if (Runtime.version().feature() == FOR_CASSANDRA) {
      return running();
    }
    return find(candidates(System.getenv()));
  }

  static Path find(List<Path> candidates) {
    return candidates.stream()
        .filter(home -> version(home) == FOR_CASSANDRA)
        .findFirst()
        .orElseThrow(
            () ->
                new SandboxException(
                    "Cassandra 5.0 needs a JDK 17, and this one is %s: install one beside it (Debian: apt-get install openjdk-17-jdk-headless; or https://adoptium.net), or name its folder in JAVA17_HOME"
                        .formatted(Runtime.version().feature())));
  }

  private static List<Path> candidates(Map<String, String> environment) {
    List<Path> homes = new ArrayList<>();
    environment.forEach(
        (name, value) -> {
          if (name.matches("(JAVA|JDK)_?(HOME_?)?17.*|JAVA_HOME") && !value.isBlank()) {
            homes.add(Path.of(value));
          }
        });
    Path beside = running().getParent();
    if (beside != null) {
      homes.addAll(children(beside));
    }
    USUAL_PLACES.forEach(place -> homes.addAll(children(place)));
    return homes;
  }

  private static List<Path> children(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted()
          .flatMap(home -> Stream.of(home, home.resolve("Contents/Home"))) // the latter on macOS
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Reads the version from the JDK's release file; 0 if this is no JDK. */
  private static int version(Path home) {
    if (!Files.isExecutable(home.resolve("bin/java"))) {
      return 0;
    }
    Properties release = new Properties();
    try (Reader reader = Files.newBufferedReader(home.resolve("release"))) {
      release.load(reader);
      String version = release.getProperty("JAVA_VERSION", "0").replace("\"", "");
      return Runtime.Version.parse(version).feature();
    } catch (IOException | IllegalArgumentException e) {
      return 0;
    }
  }
}
