package hourglass.config.settings;

import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.LocalTimes;
import hourglass.ingest.http.PushRules;
import hourglass.ingest.service.IngestOptions;
import hourglass.store.Retention;
import java.time.Duration;

final class IngestSettings {
  static final SettingGroup ALL = new SettingGroup("ingest");

  static final IngestOptions DEFAULT = IngestOptions.DEFAULTS;

  private static final Setting<Duration> ACCEPT_LATE =
      ALL.key("accept-late", Kinds.retention("0"), DEFAULT.acceptLate())
          .about(
              "How far behind now the time of an event may be; older ones are refused. keep: as far as"
                  + " there are hours. What is older than its retention is refused too.");
  private static final Setting<Duration> ACCEPT_EARLY =
      ALL.key(
              "accept-early",
              Kinds.duration("0", Quantity.show(Retention.FOREVER)),
              DEFAULT.acceptEarly())
          .about("How far ahead of now the time of an event may be.");
  private static final Setting<Long> MAX_EVENT_BYTES =
      ALL.key("max-event-bytes", Kinds.bytes(1, 1 << 30), (long) DEFAULT.maxEventBytes())
          .about("A larger event is refused; the others of its request are taken.");
  private static final Setting<Long> MAX_BODY_BYTES =
      ALL.key("max-body-bytes", Kinds.bytes(1, 1 << 30), (long) DEFAULT.maxBodyBytes())
          .about("A larger body, unpacked, is refused with 413.");
  private static final Setting<Long> MAX_IN_FLIGHT_BYTES =
      ALL.key("max-in-flight-bytes", Kinds.bytes(1, 1L << 40), DEFAULT.maxInFlightBytes())
          .about(
              "Memory of all requests under way; beyond it they are refused with 429. More of it wants"
                  + " a larger heap.");
  private static final Setting<Integer> MAX_NESTING =
      ALL.key("max-nesting", Kinds.count(1, 1000), DEFAULT.maxNesting())
          .about("Objects and arrays of an event inside one another.");

  private static final Setting<String> DEFAULT_TYPE =
      ALL.key("default-type", Kinds.optionalType(), PushRules.DEFAULT_TYPE)
          .about(
              "The type of pushed events without one; empty: they are refused. `default_type` of a"
                  + " request comes first.");
  private static final Setting<OnBadTime> ON_BAD_TIME =
      ALL.key("on-bad-time", Kinds.oneOf(OnBadTime.class), OnBadTime.REFUSE)
          .about(
              "What to do with a pushed event whose time is none, too old or too early: refuse it, or"
                  + " store it with the time of receipt. `on_bad_time` of a request comes first.");
  private static final Setting<String> TIME_ZONE =
      ALL.key("time-zone", Kinds.localTimes(), LocalTimes.REFUSE)
          .about(
              "The time zone of times without an offset, such as `2026-11-20T08:00:00`, which are none"
                  + " otherwise. `time_zone` of a request comes first.");
  private static final Setting<Boolean> ON_REFUSED =
      ALL.key("on-refused", Kinds.either("200", "400"), false)
          .about(
              "The status for a push of which nothing was accepted. 200 is for shippers that repeat a"
                  + " 400 for ever; the body says what was refused. `on_refused` of a request comes first.");
  private static final Setting<IdentityRule> IDENTITY =
      ALL.key(
              "identity",
              Kinds.oneOf(IdentityRule.class, IdentityRule.WITHOUT_KEY),
              IdentityRule.NONE)
          .about(
              "How a pushed event with a time, and with neither an id nor an `Idempotency-Key`, is"
                  + " recognized when it is sent again: not at all, by its place in an equal body, or by"
                  + " its content. id is as none, but recognizes an event that has an id and no time for"
                  + " `untimed.window`. `identity` of a request comes first.");

  private enum OnBadTime {
    REFUSE,
    RECEIPT
  }

  private IngestSettings() {}

  static PushRules readPushRules(SettingsReader reader) {
    String type = reader.get(DEFAULT_TYPE);
    ItemRules items =
        new ItemRules(
            FieldMapping.DEFAULT,
            type.isEmpty() ? null : type,
            reader.get(ON_BAD_TIME) == OnBadTime.RECEIPT,
            LocalTimes.zone(reader.get(TIME_ZONE)),
            reader.get(IDENTITY));
    return new PushRules(items, reader.get(ON_REFUSED));
  }

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
