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
 * @param module the module's folder below the root, such as {@code store/pages}
 */
record Suite(Path root, String module) {
  /** The file of the class path, which Maven writes in the phase {@code package}. */
  private static final String CLASS_PATH = "target/test.classpath";

  /** The file of flags of the JVM, for which Maven fills in a template that all modules share. */
  private static final String FLAGS = "target/test-classes/test.args";

  Path folder() {
    return root.resolve(module);
  }

  boolean hasTests() {
    return Files.exists(folder().resolve("src/test/java"));
  }

  /** Returns the folder of the compiled tests. */
  Path classes() {
    return folder().resolve("target/test-classes");
  }

  Path log() {
    return folder().resolve("target/tests.log");
  }

  /** Returns the folder for the report in XML, a form that many tools read. */
  Path reports() {
    return folder().resolve("target/test-reports");
  }

  /**
   * Returns the command of a JVM with the module's tests on its class path.
   *
   * @param ours the class path of the runner itself, which is added last
   * @param flags flags in addition to those of the module
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
