package hourglass.program.fairness;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A {@link NoisyClient} as a child process that takes only the processor time nobody wants. */
final class NoiseProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader said;

  private NoiseProcess(Process process) {
    this.process = process;
    this.said = process.inputReader(StandardCharsets.UTF_8);
  }

  static NoiseProcess start(URI server, Noise noise) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        List.of(
            "nice",
            "-n",
            "19",
            java,
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            NoisyClient.class.getName(),
            server.toString(),
            noise.name());
    return new NoiseProcess(new ProcessBuilder(command).redirectError(Redirect.DISCARD).start());
  }

  void awaitBegin() throws IOException {
    String line = said.readLine();
    if (!NoisyClient.BEGUN.equals(line)) {
      throw new IOException("the noisy client said " + line);
    }
  }

  /** Ends the noise; returns how many answers it got of each status, 0 for none. */
  String end() throws IOException {
    process.getOutputStream().close();
    return String.valueOf(said.readLine());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
