package hourglass.program.shippers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The clients, each installed once below target, apart from everything that is built. Test classes
 * run side by side, so only one thread installs at a time.
 */
final class InstalledShippers {
  private static final Path SOURCES = Path.of("src/test/shippers").toAbsolutePath();
  private static final Path INSTALLED = Path.of("target/shippers").toAbsolutePath();
  private static final Path DEBIAN = INSTALLED.resolve("debian");
  private static final String LOCK = "package-lock.json";
  private static final String AGENT = "opentelemetry-javaagent";

  static final String JAVA_SOURCE = SOURCES.resolve("java/Send.java").toString();

  private InstalledShippers() {}

  /** A folder with send.mjs and the clients that it imports. */
  static synchronized Path node() throws IOException {
    Files.createDirectories(INSTALLED);
    // npm writes the first file last.
    boolean isInstalled =
        Files.exists(INSTALLED.resolve("node_modules/.package-lock.json"))
            && Files.exists(INSTALLED.resolve(LOCK))
            && Files.mismatch(INSTALLED.resolve(LOCK), SOURCES.resolve(LOCK)) < 0;
    for (String file : List.of(".npmrc", "package.json", "send.mjs", "read-loki.mjs", LOCK)) {
      Files.copy(
          SOURCES.resolve(file), INSTALLED.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    if (!isInstalled) {
      run(INSTALLED, "npm", "ci", "--loglevel=error");
    }
    return INSTALLED;
  }

  /** The class path of {@link #JAVA_SOURCE}. */
  static String java() throws IOException {
    return jars()
        .filter(jar -> !jar.contains(AGENT))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** OpenTelemetry's agent for Java. */
  static String agent() throws IOException {
    return jars().filter(jar -> jar.contains(AGENT)).findFirst().orElseThrow();
  }

  private static synchronized Stream<String> jars() throws IOException {
    Path classPath = INSTALLED.resolve("java.classpath");
    Path pom = SOURCES.resolve("java/pom.xml");
    if (!Files.exists(classPath)
        || Files.getLastModifiedTime(classPath).compareTo(Files.getLastModifiedTime(pom)) < 0) {
      Files.createDirectories(INSTALLED);
      run(
          SOURCES.resolve("java"),
          "mvn",
          "-q",
          "-B",
          "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath",
          "-Dmdep.outputFile=" + classPath);
    }
    return Stream.of(Files.readString(classPath).strip().split(File.pathSeparator));
  }

  /** The configuration of a daemon, or a script, with @FOLDER@, @PORT@ and @TYPE@ in it. */
  static String configuration(String name) throws IOException {
    return Files.readString(SOURCES.resolve("debian/" + name + ".conf"));
  }

  /** A daemon of Debian in the foreground. */
  static ProcessBuilder daemon(String name, Path folder, Path configuration) throws IOException {
    unpackDaemons();
    Path lib = libraries();
    List<String> command = command(name, folder, configuration, lib);
    ProcessBuilder daemon = new ProcessBuilder(command).directory(folder.toFile());
    daemon.environment().put("SYSLOGNG_PREFIX", DEBIAN + "/usr"); // of loggen's plugins
    daemon
        .environment()
        .put(
            "LD_LIBRARY_PATH",
            Stream.of(
                    lib,
                    lib.resolve("systemd"),
                    DEBIAN.resolve("lib").resolve(lib.getFileName()),
                    DEBIAN.resolve("usr/lib/syslog-ng"))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator)));
    return daemon;
  }

  private static synchronized void unpackDaemons() throws IOException {
    Path unpack = SOURCES.resolve("debian/unpack.sh");
    Path done = DEBIAN.resolve("unpack.sh");
    if (!Files.exists(done) || Files.mismatch(unpack, done) >= 0) {
      run(SOURCES.resolve("debian"), "sh", "unpack.sh", DEBIAN.toString());
      Files.copy(unpack, done, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static List<String> command(String name, Path folder, Path configuration, Path lib)
      throws IOException {
    if (name.startsWith("rsyslog")) {
      return List.of(
          DEBIAN + "/usr/sbin/rsyslogd",
          "-n",
          "-f" + configuration,
          "-i" + folder + "/pid",
          "-M" + lib.resolve("rsyslog"));
    }
    return name.startsWith("syslog-ng")
        ? List.of(
            DEBIAN + "/usr/sbin/syslog-ng",
            "-F",
            "--cfgfile=" + configuration,
            "--persist-file=" + folder + "/persist",
            "--pidfile=" + folder + "/pid",
            "--control=" + folder + "/control",
            "--module-path=" + versioned(DEBIAN.resolve("usr/lib/syslog-ng")))
        : List.of("sh", configuration.toString(), DEBIAN.toString());
  }

  /** Returns a folder such as usr/lib/x86_64-linux-gnu. */
  private static Path libraries() throws IOException {
    return only(DEBIAN.resolve("usr/lib"), "-linux-gnu");
  }

  /** Returns a folder such as usr/lib/syslog-ng/3.38. */
  private static Path versioned(Path folder) throws IOException {
    try (Stream<Path> folders = Files.list(folder)) {
      return folders.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  private static Path only(Path folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(suffix)).findFirst().orElseThrow();
    }
  }

  private static void run(Path folder, String... command) throws IOException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    try {
      assertThat(process.waitFor()).as(String.join(" ", command) + ": " + said).isZero();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
