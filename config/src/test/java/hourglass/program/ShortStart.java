package hourglass.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * JVM flags for processes that live for seconds: one compiler, and an archive of parsed classes.
 * They take two thirds of the CPU off a start. The long form of the tests does without.
 */
final class ShortStart {
  private static final int PATIENCE_MINUTES = 5;

  private static final List<String> ONE_COMPILER =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  static final List<String> FLAGS = flags();

  private ShortStart() {}

  private static List<String> flags() {
    List<String> flags = new ArrayList<>(ONE_COMPILER);
    flags.add("-XX:SharedArchiveFile=" + archive());
    // Another class path cannot use the archive, and would say so on standard output.
    flags.addAll(List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
    return List.copyOf(flags);
  }

  /** Made by a run of the demo, which takes and answers events; kept until the program changes. */
  private static Path archive() {
    Path target = Program.jar().getParent().getParent();
    Path archive = target.resolve("hourglass.jsa");
    try {
      if (!isNewer(archive, Program.jar())) {
        make(archive, target);
      }
      return archive;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
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
