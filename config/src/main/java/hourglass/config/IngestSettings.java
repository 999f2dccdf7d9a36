package hourglass.config;

import hourglass.ingest.IngestOptions;
import hourglass.store.Retention;
import java.time.Duration;
import java.util.List;

final class IngestSettings {
  static final IngestOptions DEFAULT = IngestOptions.DEFAULTS;

  private static final Setting<Duration> ACCEPT_LATE =
      new Setting<>(
          "ingest.accept-late",
          Kinds.retention(Duration.ZERO),
          DEFAULT.acceptLate(),
          "How far behind now the time of an event may be; older ones are refused. keep: as far as"
              + " there are hours. What is older than its retention is refused too.");
  private static final Setting<Duration> ACCEPT_EARLY =
      new Setting<>(
          "ingest.accept-early",
          Kinds.duration(Duration.ZERO, Retention.FOREVER),
          DEFAULT.acceptEarly(),
          "How far ahead of now the time of an event may be.");
  private static final Setting<Long> MAX_EVENT_BYTES =
      new Setting<>(
          "ingest.max-event-bytes",
          Kinds.bytes(1, 1 << 30),
          (long) DEFAULT.maxEventBytes(),
          "A larger event is refused; the others of its request are taken.");
  private static final Setting<Long> MAX_BODY_BYTES =
      new Setting<>(
          "ingest.max-body-bytes",
          Kinds.bytes(1, 1 << 30),
          (long) DEFAULT.maxBodyBytes(),
          "A larger body, unpacked, is refused with 413.");
  private static final Setting<Long> MAX_IN_FLIGHT_BYTES =
      new Setting<>(
          "ingest.max-in-flight-bytes",
          Kinds.bytes(1, 1L << 40),
          DEFAULT.maxInFlightBytes(),
          "Memory of all requests under way; beyond it they are refused with 429. More of it wants"
              + " a larger heap.");
  private static final Setting<Integer> MAX_NESTING =
      new Setting<>(
          "ingest.max-nesting",
          Kinds.count(1, 1000, ""),
          DEFAULT.maxNesting(),
          "Objects and arrays of an event inside one another.");

  static final List<Setting<?>> ALL =
      List.of(
          ACCEPT_LATE,
          ACCEPT_EARLY,
          MAX_EVENT_BYTES,
          MAX_BODY_BYTES,
          MAX_IN_FLIGHT_BYTES,
          MAX_NESTING);

  private IngestSettings() {}

  static IngestOptions read(SettingsReader reader, Retention retention) {
    return new IngestOptions(
        reader.get(ACCEPT_LATE),
        reader.get(ACCEPT_EARLY),
        Math.toIntExact(reader.get(MAX_EVENT_BYTES)),
        Math.toIntExact(reader.get(MAX_BODY_BYTES)),
        reader.get(MAX_IN_FLIGHT_BYTES),
        reader.get(MAX_NESTING),
        DEFAULT.errorsListedMax(),
        retention);
  }
}
