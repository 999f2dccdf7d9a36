package hourglass.config.settings;

import hourglass.store.Retention;
import hourglass.store.embedded.EmbeddedOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

final class EmbeddedSettings {
  static final SettingGroup ALL = new SettingGroup("store.embedded");

  /** The value that leaves the choice to the engine. */
  private static final long AUTO_BYTES = -1;

  static final EmbeddedOptions DEFAULT = EmbeddedOptions.builder(Path.of("data")).build();

  private static final Setting<String> DIR =
      ALL.key("dir", Kinds.text("a folder"), DEFAULT.dir().toString())
          .about(
              "The folder that holds everything; made if it is not there. One process at a time.");
  private static final Setting<Long> MEMORY_BUDGET =
      ALL.key("memory-budget", Kinds.bytes(4 << 20, 1L << 40), DEFAULT.memoryBudgetBytes())
          .about(
              "Events that are in the log but not in pages yet; beyond it writes are refused with 429"
                  + " until pages are written. At least four log segments.");
  private static final Setting<Long> LOG_SEGMENT =
      ALL.key("log-segment", Kinds.bytes(1 << 20, 1 << 30), (long) DEFAULT.segmentBytes())
          .about("A file of the commit log; when it is full, its events are written into pages.");
  private static final Setting<Duration> FLUSH_IDLE =
      ALL.key("flush-idle", Kinds.duration("10 ms", "1 d"), DEFAULT.flushIdle())
          .about("Events are written into pages after that long without a new one.");
  private static final Setting<Duration> FLUSH_AGE =
      ALL.key("flush-age", Kinds.duration("10 ms", "1 d"), DEFAULT.flushAge())
          .about("Events are written into pages at the latest after that long.");
  private static final Setting<Duration> SEAL_AFTER =
      ALL.key("seal-after", Kinds.duration("0", "365 d"), DEFAULT.sealAfter())
          .about("A row is sealed that long after the end of its hour and after its last write.");
  private static final Setting<Long> FREE_SPACE_RESERVE =
      ALL.key(
              "free-space-reserve",
              Kinds.or(
                  "auto", AUTO_BYTES, Kinds.bytes(EmbeddedOptions.RESERVE_BYTES_MIN, 1L << 50)),
              AUTO_BYTES)
          .about(
              "Free space of the disk that writes must leave, else they are refused with 503; auto: the"
                  + " larger of 1 GiB and 5 %. Pages of accepted events may use it, but for 16 MiB.");
  private static final Setting<Long> ARRIVALS_BYTES =
      ALL.key("arrivals-bytes", Kinds.bytes(1 << 20, 1L << 40), DEFAULT.arrivalsBytesMax())
          .about(
              "Late arrivals, 2 to 9 bytes each; beyond it the oldest go before"
                  + " `retention.arrivals`.");

  private static final Setting<List<String>> MISSING =
      ALL.key(
              "missing",
              Kinds.list(
                  "a list of paths below the folder, as in [hours/keep/2026-11-20T08]",
                  path -> path),
              DEFAULT.missing())
          .about(
              "What may be missing of the folder, with all below it: the rest is served, and answers over"
                  + " it are not complete and name it. A start that misses something prints this setting.");

  private EmbeddedSettings() {}

  static EmbeddedOptions read(SettingsReader reader, Retention retention, Duration settle) {
    long reserveBytes = reader.get(FREE_SPACE_RESERVE);
    if (reader.get(MEMORY_BUDGET) < 4 * reader.get(LOG_SEGMENT)) {
      reader.refuse(MEMORY_BUDGET, "at least 4 times " + LOG_SEGMENT.key());
    }
    return EmbeddedOptions.builder(Path.of(reader.get(DIR)))
        .memoryBudgetBytes(reader.get(MEMORY_BUDGET))
        .segmentBytes(Math.toIntExact(reader.get(LOG_SEGMENT)))
        .flushIdle(reader.get(FLUSH_IDLE))
        .flushAge(reader.get(FLUSH_AGE))
        .sealAfter(reader.get(SEAL_AFTER))
        .reserveBytes(reserveBytes == AUTO_BYTES ? null : reserveBytes)
        .settle(settle)
        .arrivalsBytesMax(reader.get(ARRIVALS_BYTES))
        .untimedWindow(reader.get(UntimedSettings.WINDOW))
        .untimedEventsMax(reader.get(UntimedSettings.EVENTS_MAX))
        .missing(reader.get(MISSING))
        .retention(retention)
        .build();
  }
}
