package hourglass.ingest.http;

import hourglass.bucketing.EventType;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.LocalTimes;
import io.vertx.core.MultiMap;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules for events that lack a value, where the parameters of a push do not decide. Immutable.
 *
 * @param defaultType the type of events without one; null if they are rejected
 * @param takesBadTimes whether an event with a time that is not accepted gets the time of receipt
 * @param localTimes the zone of times without an offset; null if such a time is a bad one
 * @param refusesWith200 whether the answer to a push without an accepted event is 200, not 400, for
 *     clients that repeat a 4xx for ever
 * @param identity how events that lack a time or an id are recognized
 */
public record PushRules(
    @Nullable String defaultType,
    boolean takesBadTimes,
    @Nullable ZoneId localTimes,
    boolean refusesWith200,
    IdentityRule identity) {

  public static final String DEFAULT_TYPE = "events";

  public static final PushRules DEFAULTS =
      new PushRules(DEFAULT_TYPE, false, null, false, IdentityRule.NONE);

  private static final String TYPE = "default_type";
  private static final String ON_BAD_TIME = "on_bad_time";
  private static final String TIME_ZONE = "time_zone";
  private static final String DRY_RUN = "dry_run";
  private static final String FIRST_PLACE = "first_place";
  private static final Pattern PLACE = Pattern.compile("\\d{1,15}");
  private static final String ON_REFUSED = "on_refused";
  private static final String IDENTITY = "identity";

  private static final List<String> NAMES =
      Stream.concat(
              FieldMapping.NAMES.stream(),
              Stream.of(TYPE, ON_BAD_TIME, TIME_ZONE, ON_REFUSED, IDENTITY, FIRST_PLACE, DRY_RUN))
          .toList();

  /**
   * Returns the rules with the values of a request's parameters.
   *
   * @throws PushRefused with the parameter, its value and the allowed values
   */
  PushRules with(MultiMap parameters) {
    for (Map.Entry<String, String> parameter : parameters) {
      check(parameters, parameter.getKey());
    }
    String type = parameters.get(TYPE);
    return new PushRules(
        type == null ? defaultType : checkedType(type),
        choice(parameters, ON_BAD_TIME, takesBadTimes ? "receipt" : "refuse", "refuse", "receipt")
            .equals("receipt"),
        zone(parameters),
        choice(parameters, ON_REFUSED, refusesWith200 ? "200" : "400", "400", "200").equals("200"),
        IdentityRule.valueOf(
            choice(parameters, IDENTITY, text(identity), texts()).toUpperCase(Locale.ROOT)));
  }

  private @Nullable ZoneId zone(MultiMap parameters) {
    String text = parameters.get(TIME_ZONE);
    try {
      return text == null ? localTimes : LocalTimes.zone(withSign(text));
    } catch (IllegalArgumentException e) {
      throw new PushRefused(400, TIME_ZONE + ": \"" + text + "\", want " + LocalTimes.ALLOWED);
    }
  }

  /** Restores the plus of an offset, which is a blank in a URL if it is not escaped. */
  private static String withSign(String zone) {
    return zone.startsWith(" ") ? "+" + zone.substring(1) : zone;
  }

  /** Returns whether a request is decoded and answered without being stored. */
  static boolean isTrial(MultiMap parameters) {
    return choice(parameters, DRY_RUN, "false", "false", "true").equals("true");
  }

  private static void check(MultiMap parameters, String name) {
    if (!NAMES.contains(name)) {
      throw new PushRefused(400, "parameter \"" + name + "\": unknown, want one of " + NAMES);
    }
    List<String> values = parameters.getAll(name);
    if (values.size() > 1) {
      throw new PushRefused(400, name + ": " + values + ", want one value");
    }
  }

  /** Returns a valid type; null for an empty one, by which events without a type are rejected. */
  private static @Nullable String checkedType(String type) {
    try {
      return type.isEmpty() ? null : EventType.check(type);
    } catch (IllegalArgumentException e) {
      throw new PushRefused(400, "default_" + e.getMessage());
    }
  }

  private static String choice(
      MultiMap parameters, String name, String byDefault, String... allowed) {
    String value = parameters.get(name);
    if (value == null) {
      return byDefault;
    }
    if (!Arrays.asList(allowed).contains(value)) {
      throw new PushRefused(
          400, name + ": \"" + value + "\", want one of " + String.join(", ", allowed));
    }
    return value;
  }

  private long firstPlace(MultiMap parameters) {
    String place = parameters.get(FIRST_PLACE);
    if (place == null) {
      return 0;
    }
    if (identity != IdentityRule.PLACE || !PLACE.matcher(place).matches()) {
      throw new PushRefused(
          400,
          FIRST_PLACE
              + ": \""
              + place
              + "\", want a number of 15 digits at most, with identity=place");
    }
    return Long.parseLong(place);
  }

  private static String text(IdentityRule rule) {
    return rule.name().toLowerCase(Locale.ROOT);
  }

  private static String[] texts() {
    return Stream.of(IdentityRule.values()).map(PushRules::text).toArray(String[]::new);
  }

  /** Returns the rules for the items of a request. Throws {@link PushRefused}. */
  ItemRules ofItems(MultiMap parameters) {
    try {
      FieldMapping mapping = FieldMapping.of(parameters::get);
      return new ItemRules(mapping, defaultType, takesBadTimes, localTimes, identity)
          .from(firstPlace(parameters));
    } catch (IllegalArgumentException e) {
      throw new PushRefused(400, String.valueOf(e.getMessage()));
    }
  }
}
