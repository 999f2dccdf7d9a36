package hourglass.verify;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tests of a module, as its build left them in {@code target}.
 *
 * @param module its folder below the root, as in {@code store/pages}
 */
record Suite(Path root, String module) {
  /** Written by Maven in the phase {@code package}. */
  private static final String CLASS_PATH = "target/test.classpath";

  /** Flags of the JVM; Maven fills in a template that all modules share. */
  private static final String FLAGS = "target/test-classes/test.args";

  Path folder() {
    return root.resolve(module);
  }

  boolean hasTests() {
    return Files.exists(folder().resolve("src/test/java"));
  }

  /** Where its compiled tests are. */
  Path classes() {
    return folder().resolve("target/test-classes");
  }

  Path log() {
    return folder().resolve("target/tests.log");
  }

  /** A folder for the report in XML that many tools read. */
  Path reports() {
    return folder().resolve("target/test-reports");
  }

  /**
   * The command of a JVM with its tests on the class path.
   *
   * @param ours the class path of the runner itself, which comes last
   * @param flags added to those of the module
   */
  List<String> command(String ours, List<String> flags, Class<?> main) throws IOException {
    String libraries = Files.readString(folder().resolve(CLASS_PATH)).strip();
    String classPath =
        Stream.of(
                classes().toString(),
                folder().resolve("target/classes").toString(),
                libraries,
                ours)
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + folder().resolve(FLAGS));
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath, main.getName()));
    return command;
  }
}
