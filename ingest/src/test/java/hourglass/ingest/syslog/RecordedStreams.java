package hourglass.ingest.syslog;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Recorded output of real senders, as files, with the events expected from each. */
record RecordedStreams(String name, byte[] bytes, List<JsonObject> events) {
  static Stream<RecordedStreams> all() {
    try (Stream<Path> files = Files.list(folder())) {
      return files.filter(file -> !file.toString().endsWith(".ndjson")).sorted().toList().stream()
          .map(RecordedStreams::read);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Path folder() {
    try {
      URI uri = Objects.requireNonNull(RecordedStreams.class.getResource("/syslog")).toURI();
      return Path.of(uri);
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static RecordedStreams read(Path file) {
    String name = String.valueOf(file.getFileName());
    Path events = file.resolveSibling(name + ".ndjson");
    try {
      return new RecordedStreams(
          name,
          Files.readAllBytes(file),
          Files.readAllLines(events).stream().map(JsonObject::new).toList());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  boolean isDatagram() {
    return name.endsWith(".udp");
  }

  @Override
  public String toString() {
    return name;
  }
}
