package hourglass.ingest.decode;

import hourglass.bucketing.Identity;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bytes.JsonString;
import hourglass.bytes.Utf8;
import java.security.MessageDigest;
import java.util.function.LongBinaryOperator;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gives an event its column name. The upper half is its time; the lower half is its identity:
 *
 * <pre>
 * an event with an id                   hash of its type, source (CloudEvents) and id; the id is
 *                                       a field's or, without one, that of its protocol
 * a record of a topic                   hash of topic and partition, plus the offset
 * a request with an idempotency key     hash of key and body, plus the position in the body
 * by its place, if it has a time        the same, with a key made of the request's path and type
 * by its place under a key              hash of the key only, plus the place that the request names
 * by its content, if it has a time      hash of its type, time and payload, and its number among
 *                                       equal ones; of the payload without an object that was
 *                                       made of a text in it
 * an event of a stream                  a number of this process, reserved once for all tries
 * any other event                       the next number of this process
 * </pre>
 *
 * <p>A repeat of one of the first seven kinds writes the same columns. Not thread-safe.
 */
public abstract class ColumnNamer {
  private static final byte[] NO_SOURCE = {};

  /** The bytes in place of the digest of a body. */
  private static final byte[] NOTHING = {};

  abstract long withoutId(Identity identity, DecodedItem event);

  /**
   * Sets the lower half of a column name. Returns false if the id or the source contains half a
   * surrogate pair.
   */
  final boolean name(DecodedItem event, EventFields fields, Identity identity, boolean cloudEvent) {
    EventFields.Kind kind = fields.kind(FieldNames.ID);
    byte[] recordId = event.name.recordId;
    event.name.hasId = isId(kind, fields) || recordId != null;
    if (!event.name.hasId) {
      event.name.lsb = withoutId(identity, event);
      return true;
    }
    if (recordId != null && !isId(kind, fields)) {
      event.name.lsb = identity.ofId(event.typed().utf8, NO_SOURCE, recordId, 0, recordId.length);
      return true;
    }
    boolean isEscaped = kind == EventFields.Kind.ESCAPED;
    byte[] source = cloudEvent ? utf8(event, fields, FieldNames.CE_SOURCE) : NO_SOURCE;
    byte[] id = isEscaped ? utf8(event, fields, FieldNames.ID) : event.bytes;
    if (id == null || source == null) {
      return false;
    }
    int from = isEscaped ? 0 : fields.from(FieldNames.ID);
    int to = isEscaped ? id.length : fields.to(FieldNames.ID);
    event.name.lsb = identity.ofId(event.typed().utf8, source, id, from, to);
    return true;
  }

  private static boolean isId(EventFields.Kind kind, EventFields fields) {
    return kind == EventFields.Kind.NUMBER
        || kind.isText() && fields.from(FieldNames.ID) < fields.to(FieldNames.ID);
  }

  private static byte @Nullable [] utf8(DecodedItem event, EventFields fields, int slot) {
    return Utf8.encode(JsonString.decode(event.bytes, fields.from(slot), fields.to(slot)));
  }

  /**
   * Names the events of one request.
   *
   * @param key a key that identifies the events with their body or place: the idempotency key, or
   *     one made of the request for {@link IdentityRule#BODY}; null if there is none
   * @param length about the bytes of all payloads together, from which blocks of numbers are sized
   * @param memory the memory for the numbers of equal events
   */
  public static ColumnNamer ofRequest(
      Body body,
      ItemRules rules,
      @Nullable String key,
      int length,
      TimeUuidGenerator numbers,
      Memory memory) {
    ColumnNamer numbered = new ByNumber(length, numbers);
    if (key == null) {
      return rules.identity() == IdentityRule.CONTENT
          ? new IfTimed(new ByContent(memory), numbered)
          : numbered;
    }
    return switch (rules.identity()) {
      case BODY -> new IfTimed(ofKey(body, key), numbered);
      case PLACE -> ofPlacesUnder(key, rules.firstPlace());
      case NONE, CONTENT, ID -> ofKey(body, key);
    };
  }

  private static ColumnNamer ofKey(Body body, String key) {
    return new ByHash(
        identity -> {
          MessageDigest sha256 = Identity.newSha256();
          sha256.update(body.bytes(), 0, body.length());
          return identity.ofRequest(key, sha256.digest());
        },
        (request, index) -> Identity.position(request, (int) index));
  }

  private static ColumnNamer ofPlacesUnder(String key, long firstPlace) {
    return new ByHash(
        identity -> identity.ofRequest(key, NOTHING),
        (request, index) -> Identity.offset(request, firstPlace + index));
  }

  public static ColumnNamer ofRecords(RecordBatch records) {
    return new ByHash(
        identity -> identity.ofPartition(records.topic, records.partition),
        (partition, index) -> Identity.offset(partition, records.offset((int) index)));
  }

  /** Names the events of a stream by the numbers reserved for them. */
  public static ColumnNamer ofStream(StreamBatch batch) {
    return new ColumnNamer() {
      @Override
      long withoutId(Identity identity, DecodedItem event) {
        return TimeUuidGenerator.lsb(batch.number(event.index));
      }
    };
  }

  /** Names an event by its place and by a hash of its input, which is made when first needed. */
  private static final class ByHash extends ColumnNamer {
    private final ToLongFunction<Identity> hashing;
    private final LongBinaryOperator naming;
    private boolean isHashed;
    private long hash;

    private ByHash(ToLongFunction<Identity> hashing, LongBinaryOperator naming) {
      this.hashing = hashing;
      this.naming = naming;
    }

    @Override
    long withoutId(Identity identity, DecodedItem event) {
      if (!isHashed) {
        hash = hashing.applyAsLong(identity);
        isHashed = true;
      }
      return naming.applyAsLong(hash, event.index);
    }
  }

  /**
   * Names events with a time by one rule, and others by another. An event without a time gets
   * another time when it is sent again. Where two clients send equal ones at once, each is an event
   * of its own.
   */
  private static final class IfTimed extends ColumnNamer {
    private final ColumnNamer timed;
    private final ColumnNamer untimed;

    private IfTimed(ColumnNamer timed, ColumnNamer untimed) {
      this.timed = timed;
      this.untimed = untimed;
    }

    @Override
    long withoutId(Identity identity, DecodedItem event) {
      return (event.time.isUntimed ? untimed : timed).withoutId(identity, event);
    }
  }

  /**
   * Names events by their content. Two equal events of one request stay two, and are the same two
   * when they are sent again.
   */
  private static final class ByContent extends ColumnNamer {
    private final RepeatCounts repeats;

    private ByContent(Memory memory) {
      repeats = new RepeatCounts(memory);
    }

    @Override
    long withoutId(Identity identity, DecodedItem event) {
      long first = hash(identity, event, 0);
      int seen = repeats.seen(first);
      return seen == 0 ? first : hash(identity, event, seen);
    }

    private static long hash(Identity identity, DecodedItem event, int repeat) {
      return identity.ofContent(
          event.typed().utf8, event.name.ticks, repeat, event.bytes, event.from, event.to);
    }
  }

  private static final class ByNumber extends ColumnNamer {
    // Numbers are reserved in blocks, since names that follow one another are short on disk.
    private static final int BLOCK_MAX = 4096;
    private static final int BYTES_PER_NUMBER = 64;

    private final int length;
    private final TimeUuidGenerator numbers;
    private long next;
    private long blockEnd;

    /** Creates a namer for an input of so many bytes. */
    private ByNumber(int length, TimeUuidGenerator numbers) {
      this.length = length;
      this.numbers = numbers;
    }

    @Override
    long withoutId(Identity identity, DecodedItem event) {
      if (next == blockEnd) {
        int rest = (length - event.to) / BYTES_PER_NUMBER + 1;
        // A line of text may become an event that is longer than the input.
        int count = Math.max(1, Math.min(BLOCK_MAX, rest));
        next = numbers.reserve(count);
        blockEnd = next + count;
      }
      return TimeUuidGenerator.lsb(next++);
    }
  }
}
