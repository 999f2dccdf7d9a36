package hourglass.store.sandbox;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A Java program on a class path of its own. */
record JavaCommand(
    Path home, List<String> flags, List<Path> classPath, String main, List<String> arguments) {
  /** The longest run of a tool, which asks a server a question and ends. */
  private static final int RUN_PATIENCE_SECONDS = 60;

  /** {@code watchdog} has the code of {@link ParentWatchdog}. */
  JavaCommand endingWithParent(Path watchdog) {
    List<Path> longer = Stream.concat(Stream.of(watchdog), classPath.stream()).toList();
    List<String> words = Stream.concat(Stream.of(main), arguments.stream()).toList();
    return new JavaCommand(home, flags, longer, ParentWatchdog.class.getName(), words);
  }

  JavaCommand withFlags(List<String> more) {
    List<String> all = Stream.concat(flags.stream(), more.stream()).toList();
    return new JavaCommand(home, all, classPath, main, arguments);
  }

  JavaCommand with(String... more) {
    List<String> all = Stream.concat(arguments.stream(), Stream.of(more)).toList();
    return new JavaCommand(home, flags, classPath, main, all);
  }

  /**
   * Runs it to its end, and returns its output.
   *
   * @throws SandboxException if it fails, with its output
   */
  String run(Path folder) throws InterruptedException {
    String name = main.substring(main.lastIndexOf('.') + 1) + " " + arguments;
    try {
      Path file = Files.createTempFile(folder, "run", ".args");
      try {
        return run(name, builder(file), folder);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new SandboxException(name + " cannot be run in " + folder, e);
    }
  }

  /** Like {@link #run(Path)}, for any program. */
  static String run(String name, ProcessBuilder program, Path folder)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "run", ".out");
    try {
      Process process =
          program
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      try {
        boolean ended = process.waitFor(RUN_PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended || process.exitValue() != 0) {
          throw new SandboxException(
              name + (ended ? " failed" : " takes too long") + "; " + SandboxServer.tail(out, 0));
        }
        return Files.readString(out);
      } finally {
        process.destroyForcibly();
      }
    } finally {
      Files.deleteIfExists(out);
    }
  }

  /** {@code file} gets the command line, which is too long for some systems, and readable there. */
  ProcessBuilder builder(Path file) throws IOException {
    List<String> words = new ArrayList<>(flags);
    words.add("-cp");
    words.add(
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    words.add(main);
    words.addAll(arguments);
    Files.write(file, words.stream().map(JavaCommand::quoted).toList());
    return new ProcessBuilder(home.resolve("bin/java").toString(), "@" + file.toAbsolutePath());
  }

  static String quoted(String word) {
    return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /**
   * The lines of a file of settings, without its comments; {@code others} replace some or are
   * added.
   */
  static String lines(String file, String separator, Map<String, String> others) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String line : file.lines().filter(line -> !line.startsWith("#")).toList()) {
      String[] parts = line.split(separator, 2);
      settings.put(parts[0], parts[1]);
    }
    settings.putAll(others);
    return settings.entrySet().stream()
        .map(line -> line.getKey() + separator + line.getValue() + "\n")
        .collect(Collectors.joining());
  }

  static Path codeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static String resource(String name) {
    try (InputStream in = JavaCommand.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException(name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
