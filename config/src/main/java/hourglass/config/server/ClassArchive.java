package hourglass.config.server;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the archive of parsed classes that shortens later starts. The start script names the
 * archive and, if there is none, makes the JVM list the classes that it loads. Failures are logged
 * at debug level only, because the next start tries again. Thread-safe.
 */
final class ClassArchive implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ClassArchive.class);

  /**
   * The system property that contains the path of the archive in use, or else the prefix of the
   * names of a new archive and of the list of classes. The size in an archive's name shows the
   * script that the file is complete.
   */
  private static final String PROPERTY = "hourglass.class-archive";

  /**
   * The time without a newly loaded class after which most classes are assumed to be loaded. It is
   * longer than events wait for their pages.
   */
  private static final Duration QUIET = Duration.ofSeconds(10);

  /** How many such times the practice of queries is waited for, as a busy process has none. */
  private static final int PRACTICE_TIMES_MAX = 60;

  private static final Duration LONGEST_DUMP = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Thread thread;

  private ClassArchive(String prefix, BooleanSupplier isUsed, BooleanSupplier hasPractised) {
    thread = new Thread(() -> make(prefix, isUsed, hasPractised), "hourglass-class-archive");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Starts making the archive. Returns null if an archive is in use already or none is requested.
   *
   * @param isUsed whether events have arrived, by which most classes are loaded
   * @param hasPractised whether queries were practised, which load the others
   */
  static @Nullable ClassArchive start(BooleanSupplier isUsed, BooleanSupplier hasPractised) {
    String path = System.getProperty(PROPERTY);
    if (path == null) {
      return null;
    }
    Path archive = Path.of(path);
    if (!Files.exists(archive)) {
      return new ClassArchive(path, isUsed, hasPractised);
    }
    if (!System.getProperty("java.vm.info", "").contains("sharing")) {
      delete(archive); // the JVM did not accept it
    }
    return null;
  }

  /** Stops the archive that is being made. */
  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join(PATIENCE.toMillis());
  }

  private static void make(String prefix, BooleanSupplier isUsed, BooleanSupplier hasPractised) {
    long process = ProcessHandle.current().pid();
    Path list = Path.of(prefix + "." + process + ".list");
    Path made = Path.of(prefix + "." + process + ".new");
    try {
      awaitLoaded(isUsed, hasPractised);
      // If there is no list, another process is already making the archive. The script checks the
      // archive at each start, so it is not forced to disk.
      if (Files.exists(list) && isDumped(list, made)) {
        Path archive = Path.of(prefix + "-" + Files.size(made) + ".jsa");
        Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      logger.debug("no archive of classes", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      delete(list);
      delete(made);
    }
  }

  /** Waits until the process has been used and no longer loads classes. */
  private static void awaitLoaded(BooleanSupplier isUsed, BooleanSupplier hasPractised)
      throws InterruptedException {
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    for (int usedTimes = 0; ; ) {
      long before = classes.getTotalLoadedClassCount();
      Thread.sleep(QUIET.toMillis());
      boolean isQuiet = classes.getTotalLoadedClassCount() == before;
      usedTimes += isUsed.getAsBoolean() ? 1 : 0;
      boolean isComplete = hasPractised.getAsBoolean() || usedTimes > PRACTICE_TIMES_MAX;
      if (isQuiet && usedTimes > 0 && isComplete) {
        return;
      }
    }
  }

  private static boolean isDumped(Path list, Path made) throws IOException, InterruptedException {
    // A separate process of low priority uses only the processor time that the server leaves.
    List<String> command = new ArrayList<>(List.of("nice", "-n", "19"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The flags on memory decide the layout of objects, which is part of the archive.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("-Xm") || flag.startsWith("-XX:"))
        .filter(flag -> !flag.startsWith("-XX:DumpLoadedClassList"))
        .forEach(command::add);
    command.addAll(List.of("-Xms16m", "-Xshare:dump"));
    command.addAll(List.of("-XX:SharedClassListFile=" + list, "-XX:SharedArchiveFile=" + made));
    command.addAll(List.of("-jar", System.getProperty("java.class.path")));
    Process dump =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start();
    try {
      Path killedFirst = Path.of("/proc/" + dump.pid() + "/oom_score_adj");
      if (Files.isWritable(killedFirst)) {
        Files.writeString(killedFirst, "1000"); // rather than the server, where memory is short
      }
      return dump.waitFor(LONGEST_DUMP.toMillis(), TimeUnit.MILLISECONDS) && dump.exitValue() == 0;
    } finally {
      dump.destroyForcibly();
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      logger.debug("{} stays", file, e);
    }
  }
}
