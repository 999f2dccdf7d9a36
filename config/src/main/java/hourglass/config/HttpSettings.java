package hourglass.config;

import java.time.Duration;
import java.util.List;

/** The keys of {@link HttpOptions}. */
final class HttpSettings {
  private static final HttpOptions DEFAULT = HttpOptions.DEFAULT;

  private static final Setting<String> HOST =
      new Setting<>(
          "http.host",
          Kinds.text("a host name or an address"),
          DEFAULT.host(),
          "The address to listen on. Beyond loopback only with `http.allow-open`.");
  static final Setting<Integer> PORT =
      new Setting<>(
          "http.port",
          Kinds.count(0, 65_535, " (0: any free port)"),
          DEFAULT.port(),
          "The port to listen on; 0 takes any free one and prints it.");
  private static final Setting<Boolean> ALLOW_OPEN =
      new Setting<>(
          "http.allow-open",
          Kinds.truth(),
          DEFAULT.allowOpen(),
          "This version has neither keys nor TLS: who reaches the port reads and writes. Set it to"
              + " true where something in front takes care of that.");
  private static final Setting<Duration> IDLE_TIMEOUT =
      new Setting<>(
          "http.idle-timeout",
          Kinds.duration(Duration.ofSeconds(1), Duration.ofDays(1)),
          DEFAULT.idleTimeout(),
          "A connection without traffic for that long is closed.");
  private static final Setting<Long> MAX_HEADER_BYTES =
      new Setting<>(
          "http.max-header-bytes",
          Kinds.bytes(1 << 10, 1 << 20),
          (long) DEFAULT.headerBytesMax(),
          "The request line, and all headers together, may be that long each.");
  private static final Setting<Integer> MAX_CONNECTIONS =
      new Setting<>(
          "http.max-connections",
          Kinds.count(1, 1_000_000, ""),
          DEFAULT.connectionsMax(),
          "Connections beyond that are closed at once.");

  static final List<Setting<?>> ALL =
      List.of(HOST, PORT, ALLOW_OPEN, IDLE_TIMEOUT, MAX_HEADER_BYTES, MAX_CONNECTIONS);

  private HttpSettings() {}

  static HttpOptions read(SettingsReader reader) {
    HttpOptions http =
        new HttpOptions(
            reader.get(HOST),
            reader.get(PORT),
            reader.get(ALLOW_OPEN),
            reader.get(IDLE_TIMEOUT),
            Math.toIntExact(reader.get(MAX_HEADER_BYTES)),
            reader.get(MAX_CONNECTIONS));
    http.problem().ifPresent(reader::add);
    return http;
  }
}
