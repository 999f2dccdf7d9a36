package hourglass.config.settings;

import hourglass.store.embedded.EmbeddedOptions;
import java.time.Duration;

/** The settings of the first times of events that have no time of their own, for every engine. */
final class UntimedSettings {
  static final SettingGroup ALL = new SettingGroup("untimed");

  static final Setting<Duration> WINDOW =
      ALL.key("window", Kinds.duration("1 min", "30 d"), EmbeddedSettings.DEFAULT.untimedWindow())
          .about(
              "How long a CloudEvent without a time, or with `identity=id` any event that has an id"
                  + " and no time, is recognized when it is sent again.");

  static final Setting<Integer> EVENTS_MAX =
      ALL.key(
              "events-max",
              Kinds.count(1, EmbeddedOptions.UNTIMED_EVENTS_MAX),
              EmbeddedSettings.DEFAULT.untimedEventsMax())
          .about(
              "Such events in one to one and a quarter windows, 32 to 64 bytes of memory each. A client"
                  + " may have three quarters of what the others leave. Beyond it, its new ones are"
                  + " refused with 429, and with the time until enough are forgotten, at most an hour,"
                  + " in `Retry-After`. Of the embedded store; Cassandra has no limit.");

  private UntimedSettings() {}
}
