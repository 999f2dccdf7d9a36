package hourglass.ingest.http;

import hourglass.bucketing.EventType;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which the records of a protocol become events, where neither they nor the request
 * decide. Immutable.
 *
 * @param mapping the fields of payloads that precede the values of the protocol; its type is that
 *     of all events
 * @param defaultType the type of records without one
 * @param identity how records that lack a time or an id are recognized
 */
public record ProtocolRules(FieldMapping mapping, String defaultType, IdentityRule identity) {
  private static final String HEADER = "Hourglass-";
  private static final String IDENTITY = "identity";
  private static final String DEFAULT_TYPE = "default_type";

  /** Returns the rules of a protocol alone, without those of a request. */
  public static ProtocolRules of(String defaultType, IdentityRule identity) {
    return new ProtocolRules(FieldMapping.NONE, defaultType, identity);
  }

  /**
   * Returns rules that refuse no record for lack of a type or for its time. A time without an
   * offset is in UTC.
   */
  public ItemRules items() {
    return new ItemRules(mapping, defaultType, true, ZoneOffset.UTC, identity);
  }

  /**
   * Returns the rules with the values that a request gives, in parameters such as {@code
   * type_field} or else in headers such as {@code Hourglass-Type-Field}. Parameters of the protocol
   * itself are not read here.
   *
   * @throws PushRefused with the parameter and the allowed values
   */
  ProtocolRules with(HttpServerRequest request) {
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

  private ProtocolRules with(MultiMap parameters, MultiMap headers) {
    String type = given(parameters, headers, DEFAULT_TYPE);
    String identityText = given(parameters, headers, IDENTITY);
    return new ProtocolRules(
        mapping.with(part -> given(parameters, headers, part)),
        type == null ? defaultType : EventType.check(type),
        identityText == null ? identity : identity(identityText));
  }

  private static @Nullable String given(MultiMap parameters, MultiMap headers, String name) {
    String parameter = parameters.get(name);
    return parameter == null ? headers.get(HEADER + name.replace('_', '-')) : parameter;
  }

  private static IdentityRule identity(String text) {
    for (IdentityRule rule : IdentityRule.WITHOUT_KEY) {
      if (rule.name().toLowerCase(Locale.ROOT).equals(text)) {
        return rule;
      }
    }
    throw new IllegalArgumentException(
        IDENTITY
            + ": \""
            + text
            + "\", want one of "
            + IdentityRule.WITHOUT_KEY.toString().toLowerCase(Locale.ROOT));
  }
}
