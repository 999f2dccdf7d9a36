package hourglass.program;

import hourglass.testing.Project;
import hourglass.testing.SetClock;
import hourglass.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The packaged program as a child process, as a user starts it. */
public final class Program {
  private static final Path PROGRAM = Project.ROOT.resolve("config/target");
  private static final long PATIENCE_SECONDS = 400;

  /** The result of a command that ran to its end. */
  public record Result(int exit, String out, String err) {}

  private Program() {}

  /** A process that has not been started, without the settings that this environment may hold. */
  public static ProcessBuilder builder(String... arguments) {
    return builder(List.of("-jar", jar().toString()), arguments);
  }

  /** The same with a main class of the tests in the place of the program's. */
  public static ProcessBuilder builder(Class<?> main, String... arguments) {
    List<String> java = new ArrayList<>();
    try (JarFile program = new JarFile(jar().toFile())) {
      Attributes manifest = program.getManifest().getMainAttributes();
      for (String kind : List.of("Add-Exports", "Add-Opens")) {
        for (String of : manifest.getValue(kind).split(" ")) {
          java.add("--" + kind.toLowerCase(Locale.ROOT) + "=" + of + "=ALL-UNNAMED");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // The archive of ShortStart is of a class path that begins with the program.
    String classPath =
        Stream.of(jar(), home(main), home(SetClock.class))
            .map(Path::toString)
            .distinct()
            .collect(Collectors.joining(File.pathSeparator));
    java.addAll(List.of("-cp", classPath, main.getName()));
    return builder(java, arguments);
  }

  /** The folder or the jar that a class was loaded from. */
  private static Path home(Class<?> loaded) {
    return Path.of(
        URI.create(loaded.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /** The same by the start script of a distribution that was unpacked into a folder. */
  static ProcessBuilder installed(Path home, String... arguments) {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/hourglass").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASS_ARCHIVE", "off");
    return withoutSettings(builder);
  }

  /**
   * Unpacks the distribution.
   *
   * @return its folder below {@code folder}
   */
  public static Path install(Path folder) throws IOException, InterruptedException {
    String file = archive().toString();
    Process tar =
        new ProcessBuilder("tar", "xzf", file, "-C", folder.toString()).inheritIO().start();
    if (tar.waitFor() != 0) {
      throw new IOException("tar of " + file + " ended with " + tar.exitValue());
    }
    try (Stream<Path> unpacked = Files.list(folder)) {
      return unpacked
          .filter(path -> path.getFileName().toString().startsWith("hourglass-"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static ProcessBuilder withoutSettings(ProcessBuilder builder) {
    builder.environment().keySet().removeIf(name -> name.startsWith("HOURGLASS_"));
    return builder;
  }

  private static ProcessBuilder builder(List<String> java, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(
        List.of("-Xms64m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"));
    if (Tier.current() != Tier.LONGEST) {
      command.addAll(ShortStart.FLAGS);
    }
    command.addAll(java);
    command.addAll(List.of(arguments));
    return withoutSettings(new ProcessBuilder(command));
  }

  public static Result run(Path folder, String... arguments)
      throws IOException, InterruptedException {
    return run(folder, Map.of(), arguments);
  }

  /** Runs a command to its end; the folder is its working directory and takes its output. */
  public static Result run(Path folder, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    try (Running running = start(folder, environment, arguments)) {
      return running.end();
    }
  }

  /** Starts a command; the folder is its working directory and takes its output. */
  public static Running start(Path folder, Map<String, String> environment, String... arguments)
      throws IOException {
    Path out = Files.createTempFile(folder, "run", ".out");
    Path err = Files.createTempFile(folder, "run", ".err");
    ProcessBuilder builder = builder(arguments).directory(folder.toFile());
    builder.environment().putAll(environment);
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    return new Running(process, List.of(arguments), out, err);
  }

  /** A command that runs until it ends or is closed. */
  public record Running(Process process, List<String> arguments, Path out, Path err)
      implements AutoCloseable {

    /** Its standard error so far. */
    public String said() throws IOException {
      return Files.readString(err);
    }

    /** Waits for its end. */
    public Result end() throws IOException, InterruptedException {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        // One that serves where it should refuse says so in its output alone.
        throw new AssertionError("still running: " + arguments + Files.readString(out) + said());
      }
      return new Result(process.exitValue(), Files.readString(out), said());
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  static Path jar() {
    return built(PROGRAM.resolve("hourglass/hourglass.jar"));
  }

  private static Path archive() throws IOException {
    try (Stream<Path> files = Files.list(PROGRAM)) {
      return files
          .filter(file -> file.getFileName().toString().matches("hourglass-.*\\.tar\\.gz"))
          .findFirst()
          .orElseGet(() -> built(PROGRAM.resolve("hourglass-VERSION.tar.gz")));
    }
  }

  private static Path built(Path file) {
    if (!Files.exists(file)) {
      throw new IllegalStateException(file + " is missing: ./verify program builds it");
    }
    return file;
  }
}
