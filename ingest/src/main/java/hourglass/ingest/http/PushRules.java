package hourglass.ingest.http;

import hourglass.bucketing.EventType;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.LocalTimes;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which the items of a push become events, as the settings or a protocol give them;
 * the parameters and headers of a request come before them. Immutable.
 *
 * @param items the rules of items; in another protocol, its own values come after the fields of
 *     payloads
 * @param refusesWith200 whether the answer to a push without an accepted event is 200, not 400, for
 *     clients that repeat a 4xx for ever; our own API alone reads it
 */
public record PushRules(ItemRules items, boolean refusesWith200) {
  public static final String DEFAULT_TYPE = "events";

  /** The rules of our own API, unless the settings give others. */
  public static final PushRules DEFAULTS =
      new PushRules(
          new ItemRules(FieldMapping.DEFAULT, DEFAULT_TYPE, false, null, IdentityRule.NONE), false);

  /** The prefix of the headers that clients of other protocols send in place of parameters. */
  private static final String HEADER = "Hourglass-";

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
   * Returns the rules of a protocol that reads no field of a payload, unless a request names it.
   */
  public static PushRules ofProtocol(String defaultType, IdentityRule identity) {
    return ofProtocol(FieldMapping.NONE, defaultType, identity);
  }

  /**
   * Returns the rules of a protocol, which refuse no record for lack of a type or for its time. A
   * time without an offset is in UTC.
   *
   * @param mapping the fields of payloads that precede the values of the protocol; its type is that
   *     of all events
   * @param defaultType the type of records without one
   * @param identity how records that lack a time or an id are recognized
   */
  public static PushRules ofProtocol(
      FieldMapping mapping, String defaultType, IdentityRule identity) {
    return new PushRules(
        new ItemRules(mapping, defaultType, true, ZoneOffset.UTC, identity), false);
  }

  /** Returns the same rules with other fields and another identity. */
  public PushRules with(FieldMapping mapping, IdentityRule identity) {
    return with(mapping, items.defaultType(), identity);
  }

  private PushRules with(
      FieldMapping mapping, @Nullable String defaultType, IdentityRule identity) {
    return new PushRules(
        new ItemRules(mapping, defaultType, items.takesBadTimes(), items.localTimes(), identity),
        refusesWith200);
  }

  /**
   * Returns the rules of a request in another protocol, with the values that it gives in parameters
   * such as {@code type_field} or else in headers such as {@code Hourglass-Type-Field}. Parameters
   * of the protocol itself are not read here.
   *
   * @throws PushRefused with the parameter and the allowed values
   */
  PushRules with(HttpServerRequest request) {
    boolean hasParameters = request.query() != null && !request.query().isEmpty();
    boolean hasHeaders = false;
    for (var header : request.headers()) {
      hasHeaders |= header.getKey().regionMatches(true, 0, HEADER, 0, HEADER.length());
    }
    if (!hasParameters && !hasHeaders) {
      return this;
    }
    try {
      return with(request.params(), request.headers());
    } catch (IllegalArgumentException e) { // of a parameter, or of the encoding of all
      throw new PushRefused(400, String.valueOf(e.getMessage()));
    }
  }

  private PushRules with(MultiMap parameters, MultiMap headers) {
    String type = given(parameters, headers, TYPE);
    String identity = given(parameters, headers, IDENTITY);
    return with(
        items.mapping().with(part -> given(parameters, headers, part)),
        type == null ? items.defaultType() : EventType.check(type),
        identity == null ? items.identity() : identityWithoutKey(identity));
  }

  private static @Nullable String given(MultiMap parameters, MultiMap headers, String name) {
    String parameter = parameters.get(name);
    return parameter == null ? headers.get(HEADER + name.replace('_', '-')) : parameter;
  }

  private static IdentityRule identityWithoutKey(String text) {
    List<String> allowed = texts(IdentityRule.WITHOUT_KEY);
    if (!allowed.contains(text)) {
      throw new IllegalArgumentException(IDENTITY + ": \"" + text + "\", want one of " + allowed);
    }
    return identity(text);
  }

  /**
   * Returns the rules of a request to our own API, which refuses all other parameters.
   *
   * @throws PushRefused with the parameter, its value and the allowed values
   */
  PushRules with(MultiMap parameters) {
    if (parameters.isEmpty()) {
      return this;
    }
    for (Map.Entry<String, String> parameter : parameters) {
      check(parameters, parameter.getKey());
    }
    String type = parameters.get(TYPE);
    String defaultType = type == null ? items.defaultType() : checkedType(type);
    String onBadTime =
        choice(
            parameters,
            ON_BAD_TIME,
            items.takesBadTimes() ? "receipt" : "refuse",
            "refuse",
            "receipt");
    ZoneId localTimes = zone(parameters);
    String onRefused = choice(parameters, ON_REFUSED, refusesWith200 ? "200" : "400", "400", "200");
    String[] identities = texts(EnumSet.allOf(IdentityRule.class)).toArray(String[]::new);
    IdentityRule identity =
        identity(choice(parameters, IDENTITY, text(items.identity()), identities));
    try {
      ItemRules read =
          new ItemRules(
              items.mapping().with(parameters::get),
              defaultType,
              onBadTime.equals("receipt"),
              localTimes,
              identity,
              firstPlace(parameters, identity));
      return new PushRules(read, onRefused.equals("200"));
    } catch (IllegalArgumentException e) { // of a field
      throw new PushRefused(400, String.valueOf(e.getMessage()));
    }
  }

  private @Nullable ZoneId zone(MultiMap parameters) {
    String text = parameters.get(TIME_ZONE);
    try {
      return text == null ? items.localTimes() : LocalTimes.zone(withSign(text));
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

  private static long firstPlace(MultiMap parameters, IdentityRule identity) {
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

  private static IdentityRule identity(String text) {
    return IdentityRule.valueOf(text.toUpperCase(Locale.ROOT));
  }

  private static String text(IdentityRule rule) {
    return rule.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> texts(Collection<IdentityRule> rules) {
    return rules.stream().map(PushRules::text).toList();
  }
}
