package hourglass.store.sandbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** How a broker is to be; states every default. Not thread-safe. */
public final class KafkaOptions {
  final Path folder;
  int heapMegabytes = 384;
  final Map<String, String> settings = new LinkedHashMap<>();
  Duration startPatience = Duration.ofMinutes(3);
  Consumer<String> progress = Progress.STDERR;

  KafkaOptions(Path folder) {
    this.folder = folder;
  }

  /** The heap; 384 MiB by default. */
  public KafkaOptions heapMegabytes(int heapMegabytes) {
    this.heapMegabytes = heapMegabytes;
    return this;
  }

  /** A line of server.properties besides, or in place of, those that stand there. */
  public KafkaOptions setting(String name, String value) {
    settings.put(name, value);
    return this;
  }

  /** How long a start may take before it fails, fetching jars aside; 3 minutes by default. */
  public KafkaOptions startPatience(Duration patience) {
    startPatience = patience;
    return this;
  }

  /** Gets a line for a person now and then; standard error by default. */
  public KafkaOptions progress(Consumer<String> progress) {
    this.progress = progress;
    return this;
  }
}
