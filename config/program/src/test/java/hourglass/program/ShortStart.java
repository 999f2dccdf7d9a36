package hourglass.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * JVM flags for processes that live for seconds: one compiler, few pages of memory to touch, and an
 * archive of parsed classes. They take three quarters of the CPU off a start. The long form of the
 * tests does without.
 */
final class ShortStart {
  private static final int PATIENCE_MINUTES = 20;

  private static final List<String> ONE_COMPILER =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  /**
   * The archive stays at its address. JVMs move it elsewhere, against attacks, and so touch all of
   * its pages: a fifth of the CPU of a start.
   */
  private static final List<String> ARCHIVE_IN_PLACE =
      List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0");

  static final List<String> FLAGS = flags();

  private ShortStart() {}

  private static List<String> flags() {
    List<String> flags = new ArrayList<>(ONE_COMPILER);
    flags.addAll(ARCHIVE_IN_PLACE);
    try {
      flags.addAll(largePages());
      flags.add("-XX:SharedArchiveFile=" + archive());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    // Another class path cannot use the archive, and would say so on standard output.
    flags.addAll(List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
    return List.copyOf(flags);
  }

  /** A heap of few pages saves another seventh. JVMs complain of a kernel without such pages. */
  private static List<String> largePages() throws IOException {
    Path kernel = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    return Files.exists(kernel) && !Files.readString(kernel).contains("[never]")
        ? List.of("-XX:+UseTransparentHugePages")
        : List.of();
  }

  /** Made by a run of the demo, which takes and answers events; kept until the program changes. */
  private static Path archive() throws IOException, InterruptedException {
    Path target = Program.jar().getParent().getParent();
    Path archive = target.resolve("hourglass.jsa");
    if (!isNewer(archive, Program.jar())) {
      make(archive, target);
    }
    return archive;
  }

  private static boolean isNewer(Path archive, Path jar) throws IOException {
    return Files.exists(archive)
        && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) > 0;
  }

  private static void make(Path archive, Path target) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Program.java()));
    command.addAll(ONE_COMPILER);
    command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-Xmx512m"));
    command.addAll(List.of("-jar", Program.jar().toString()));
    command.addAll(List.of("demo", "--exit", "--set", "http.port=0"));
    Path said = target.resolve("hourglass.jsa.log");
    ProcessBuilder builder = new ProcessBuilder(command).directory(target.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("HOURGLASS_"));
    Process demo = builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    if (!demo.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) || demo.exitValue() != 0) {
      demo.destroyForcibly();
      throw new AssertionError("the demo failed: " + Files.readString(said));
    }
  }
}
