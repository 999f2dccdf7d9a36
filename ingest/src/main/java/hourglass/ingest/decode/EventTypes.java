package hourglass.ingest.decode;

import hourglass.access.TypePatterns;
import hourglass.bucketing.EventType;
import hourglass.bytes.JsonString;
import hourglass.ingest.decode.EventFields.Kind;
import hourglass.ingest.decode.TypeCache.CachedType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the types of one input's events: the type of all of them, or else the type of the field, of
 * the record, or by default. Not thread-safe.
 */
final class EventTypes {
  private final TypeCache types;
  private final EventFields fields;
  private final TypePatterns allowed;
  private final @Nullable CachedType fixed;
  private final @Nullable CachedType byDefault;

  /** The last type that was checked and is allowed. */
  private @Nullable CachedType lastAllowed;

  private @Nullable String recordText;
  private @Nullable CachedType ofRecord;

  EventTypes(DecoderCache cache, ItemRules rules, TypePatterns allowed) {
    this.types = cache.types;
    this.fields = cache.fields;
    this.allowed = allowed;
    this.fixed = cached(rules.mapping().type());
    this.byDefault = cached(rules.defaultType());
  }

  private @Nullable CachedType cached(@Nullable String type) {
    return type == null ? null : types.get(type);
  }

  /**
   * Sets the type of a scanned event. Returns the reason to reject it, or null.
   *
   * @param recordType the type that the protocol gives, or null
   * @param takesNull whether a null counts as no type
   */
  @Nullable Reason read(DecodedItem item, @Nullable String recordType, boolean takesNull) {
    item.type = fixed;
    if (fixed != null) {
      return reasonAgainst(fixed);
    }
    Kind kind = fields.kind(FieldNames.TYPE);
    int from = fields.from(FieldNames.TYPE);
    int to = fields.to(FieldNames.TYPE);
    CachedType type;
    try {
      if (kind == Kind.STRING) {
        type = types.get(item.bytes, from, to);
      } else if (kind == Kind.ESCAPED) {
        type = types.get(EventType.check(JsonString.decode(item.bytes, from, to)));
      } else if (kind == Kind.ABSENT || kind == Kind.NULL && takesNull) {
        type = recordType == null ? byDefault : ofRecord(recordType);
      } else {
        return Reason.TYPE_KIND;
      }
    } catch (IllegalArgumentException e) {
      item.problem = String.valueOf(e.getMessage());
      return Reason.TYPE_TEXT;
    }
    item.type = type;
    return type == null ? Reason.TYPE_MISSING : reasonAgainst(type);
  }

  /**
   * Returns the type that a protocol gives. The last one is kept, since most records of a request
   * have the type of the one before.
   */
  private CachedType ofRecord(String text) {
    CachedType type = ofRecord;
    if (type == null || !Objects.equals(text, recordText)) {
      type = types.get(EventType.check(text));
      recordText = text;
      ofRecord = type;
    }
    return type;
  }

  /**
   * Returns the reason to reject a type, or null. The last allowed one is kept, since most events
   * of a request have the type of the one before.
   */
  private @Nullable Reason reasonAgainst(CachedType type) {
    if (type == lastAllowed || allowed.isAll()) {
      return null;
    }
    boolean isAllowed = allowed.allows(type.text);
    lastAllowed = isAllowed ? type : lastAllowed;
    return isAllowed ? null : Reason.TYPE_NOT_ALLOWED;
  }
}
