package hourglass.ingest.decode;

import hourglass.access.TypePatterns;
import hourglass.bucketing.EventType;
import hourglass.bucketing.Ticks;
import hourglass.bytes.ByteWords;
import hourglass.bytes.JsonString;
import hourglass.ingest.decode.EventFields.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the types of events: the type of a whole input, or else the type of the field, of the
 * record, or by default. It caches recent types by their bytes, so that a known type needs no new
 * string. A thread keeps one instance for all its inputs. Not thread-safe.
 */
public final class EventTypes {
  // These slots are enough for a large site. Beyond them, an event costs a string.
  private static final int SLOT_BITS = 10;
  private static final int SLOTS = 1 << SLOT_BITS;
  private static final int PROBES = 4;

  /**
   * The number 2^64 divided by the golden ratio, which spreads types over the slots (Fibonacci
   * hashing).
   */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final EventFields fields;
  private final Function<String, Duration> retention;
  private final @Nullable CachedType[] slots = new CachedType[SLOTS];

  /** The number of types seen so far, including those that another one displaced. */
  private int seen;

  // These belong to the input that is read.
  private TypePatterns allowed = TypePatterns.ALL;
  private @Nullable CachedType fixed;
  private @Nullable CachedType byDefault;

  /** The last type that was checked and is allowed. */
  private @Nullable CachedType lastAllowed;

  private @Nullable CachedType lastOfRecord;

  /** An event type. Immutable. */
  public static final class CachedType {
    public final String text;

    /** The number of the type. A thread numbers types from 0 as it first sees them. */
    public final int number;

    final byte[] utf8;

    /** The time for which the store keeps the type. */
    final Duration kept;

    final long keptTicks;

    private final long prefix;

    private CachedType(byte[] utf8, long prefix, String text, int number, Duration kept) {
      this.number = number;
      this.utf8 = utf8;
      this.prefix = prefix;
      this.text = text;
      this.kept = kept;
      this.keptTicks = kept.toMillis() * Ticks.PER_MILLI;
    }

    /** Returns whether the store still keeps an event of that time. */
    public boolean isKept(long ticks, long nowTicks) {
      return nowTicks - ticks < keptTicks;
    }
  }

  EventTypes(EventFields fields, Function<String, Duration> retention) {
    this.fields = fields;
    this.retention = retention;
  }

  /** Begins an input. Other types than the allowed ones are rejected. */
  void begin(ItemRules rules, TypePatterns allowedTypes) {
    allowed = allowedTypes;
    fixed = cached(rules.mapping().type());
    byDefault = cached(rules.defaultType());
    lastAllowed = null;
    lastOfRecord = null;
  }

  private @Nullable CachedType cached(@Nullable String type) {
    return type == null ? null : get(type);
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
        type = get(item.bytes, from, to);
      } else if (kind == Kind.ESCAPED) {
        type = get(EventType.check(JsonString.decode(item.bytes, from, to)));
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
    CachedType type = lastOfRecord;
    if (type == null || !type.text.equals(text)) {
      type = get(EventType.check(text));
      lastOfRecord = type;
    }
    return type;
  }

  /**
   * Returns the reason to reject a type, or null. The last allowed type is remembered, since most
   * events of a request have the type of the event before.
   */
  private @Nullable Reason reasonAgainst(CachedType type) {
    if (type == lastAllowed || allowed.isAll()) {
      return null;
    }
    boolean isAllowed = allowed.allows(type.text);
    lastAllowed = isAllowed ? type : lastAllowed;
    return isAllowed ? null : Reason.TYPE_NOT_ALLOWED;
  }

  private CachedType get(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return get(Body.padded(utf8), 0, utf8.length);
  }

  /**
   * Returns the type whose UTF-8 is {@code [from, to)}. Eight bytes must be readable at each
   * position.
   *
   * @throws IllegalArgumentException if it is not a valid type
   */
  private CachedType get(byte[] b, int from, int to) {
    int length = to - from;
    long prefix = ByteWords.head(b, from, length);
    long suffix = length > 8 ? ByteWords.get(b, to - 8) : length;
    int home = (int) ((prefix * 31 ^ suffix) * GOLDEN >>> Long.SIZE - SLOT_BITS);
    for (int probe = 0; probe < PROBES; probe++) {
      int slot = home + probe & SLOTS - 1;
      CachedType type = slots[slot];
      if (type == null) {
        return put(slot, prefix, b, from, to);
      }
      if (type.prefix == prefix
          && type.utf8.length == length
          && (length <= 8 || Arrays.equals(type.utf8, 8, length, b, from + 8, to))) {
        return type;
      }
    }
    return put(home, prefix, b, from, to);
  }

  private CachedType put(int slot, long prefix, byte[] b, int from, int to) {
    byte[] utf8 = Arrays.copyOfRange(b, from, to);
    String text = EventType.check(new String(utf8, StandardCharsets.UTF_8));
    CachedType type = new CachedType(utf8, prefix, text, seen++, retention.apply(text));
    slots[slot] = type;
    return type;
  }
}
