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
 * archive, and has the JVM list the classes it loads if there is none. A failure is worth no words:
 * the next start tries again. Thread-safe.
 */
final class ClassArchive implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ClassArchive.class);

  /**
   * The path of the archive in use, or what the names of a new one and of the list begin with. The
   * script knows by the size in its name that an archive is whole.
   */
  private static final String PROPERTY = "hourglass.class-archive";

  /** Longer than events wait for their pages: what loads no class for so long has loaded most. */
  private static final Duration QUIET = Duration.ofSeconds(10);

  private static final Duration LONGEST_DUMP = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Thread thread;

  private ClassArchive(String prefix, BooleanSupplier isUsed) {
    thread = new Thread(() -> make(prefix, isUsed), "hourglass-class-archive");
    thread.setDaemon(true);
    thread.start();
  }

  /** Null: the archive is there, or nobody wants one. */
  static @Nullable ClassArchive start(BooleanSupplier isUsed) {
    String path = System.getProperty(PROPERTY);
    if (path == null) {
      return null;
    }
    Path archive = Path.of(path);
    if (!Files.exists(archive)) {
      return new ClassArchive(path, isUsed);
    }
    if (!System.getProperty("java.vm.info", "").contains("sharing")) {
      delete(archive); // the JVM refused it
    }
    return null;
  }

  /** Stops what it is at. */
  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join(PATIENCE.toMillis());
  }

  private static void make(String prefix, BooleanSupplier isUsed) {
    long process = ProcessHandle.current().pid();
    Path list = Path.of(prefix + "." + process + ".list");
    Path made = Path.of(prefix + "." + process + ".new");
    try {
      awaitLoaded(isUsed);
      // No list: another process has begun. Checked at each start, so not forced to the disk.
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

  /** Until the process has been used, and no longer loads classes. */
  private static void awaitLoaded(BooleanSupplier isUsed) throws InterruptedException {
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    long before;
    do {
      before = classes.getTotalLoadedClassCount();
      Thread.sleep(QUIET.toMillis());
    } while (classes.getTotalLoadedClassCount() != before || !isUsed.getAsBoolean());
  }

  private static boolean isDumped(Path list, Path made) throws IOException, InterruptedException {
    // A process of its own, for what the server leaves of the cores.
    List<String> command = new ArrayList<>(List.of("nice", "-n", "19"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Those on memory decide the layout of objects, which is part of the archive.
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
