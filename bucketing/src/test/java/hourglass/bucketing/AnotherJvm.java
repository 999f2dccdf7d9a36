package hourglass.bucketing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A main class of the tests, run in a process of its own. */
record AnotherJvm(Process process) {

  static AnotherJvm start(Class<?> main, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-cp", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(args));
    return new AnotherJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  List<String> output() throws IOException, InterruptedException {
    try {
      List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
      if (process.waitFor() != 0) {
        throw new AssertionError("ended with " + process.exitValue());
      }
      return lines;
    } finally {
      process.destroyForcibly();
    }
  }
}
