package hourglass.config.settings;

import hourglass.access.Limits;

final class LimitSettings {
  static final SettingGroup ALL = new SettingGroup("limits");

  private static final Limits DEFAULT = Limits.NONE;
  private static final String NONE = " (0: no limit)";

  private static final Setting<Integer> EVENTS_PER_SECOND =
      count("events-per-second", DEFAULT.eventsPerSecond())
          .about(
              "Events that each client may store in a second: a key, or an address without one. Beyond"
                  + " it a push waits for up to 250 ms, or is refused with 429 and stores nothing. A larger"
                  + " push passes when its client was quiet for a second, and the next ones wait or are"
                  + " refused until it is paid off.");
  private static final Setting<Long> BYTES_PER_SECOND =
      bytes("bytes-per-second", DEFAULT.bytesPerSecond())
          .about(
              "Bytes of bodies that each client may send in a second, as they are sent. Beyond it a"
                  + " push waits or is refused likewise.");
  private static final Setting<Integer> REQUESTS =
      count("requests", DEFAULT.requests())
          .about("Pushes and queries of each client that may be under way.");
  private static final Setting<Integer> QUERIES =
      count("queries", DEFAULT.queries())
          .about("Queries of each client that may be under way or wait for a place.");
  private static final Setting<Integer> TAILS =
      count("tails", DEFAULT.tails()).about("Tails that each client may have.");
  private static final Setting<Long> READ_BYTES_PER_MINUTE =
      bytes("read-bytes-per-minute", DEFAULT.readBytesPerMinute())
          .about(
              "Bytes of answers and tails that each client may take in a minute, as they are sent. An"
                  + " answer is never cut for it: the next query waits.");

  private LimitSettings() {}

  private static SettingGroup.Draft<Integer> count(String name, long none) {
    return ALL.key(name, Kinds.count(0, 1_000_000_000, NONE), Math.toIntExact(none));
  }

  private static SettingGroup.Draft<Long> bytes(String name, long none) {
    return ALL.key(name, Kinds.bytes(0, 1L << 40), none);
  }

  static Limits read(SettingsReader reader) {
    return new Limits(
        reader.get(EVENTS_PER_SECOND),
        reader.get(BYTES_PER_SECOND),
        reader.get(REQUESTS),
        reader.get(QUERIES),
        reader.get(TAILS),
        reader.get(READ_BYTES_PER_MINUTE));
  }
}
