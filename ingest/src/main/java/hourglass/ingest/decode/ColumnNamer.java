package hourglass.ingest.decode;

import hourglass.bucketing.Identity;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.text.Utf8;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Gives an event its column name. The upper half is its time; the lower half is its identity:
 *
 * <pre>
 * an event with an id                   hash of its type, source (CloudEvents) and id
 * a record of a topic                   hash of topic and partition, plus the offset
 * a request with an idempotency key     hash of key and body, plus the position in the body
 * any other event                       the next number of this process
 * </pre>
 *
 * <p>A repeat of one of the first three kinds writes the same columns. Not thread-safe.
 */
public abstract class ColumnNamer {
  private static final byte[] NO_SOURCE = {};

  /** The identity of an event without an id. */
  protected abstract long withoutId(Identity identity, int index, int end);

  /**
   * Sets the lower half of an event's column name.
   *
   * @return false if the id, or the source that belongs to it, has half a surrogate pair
   */
  final boolean name(DecodedItem event, EventFields fields, Identity identity, boolean cloudEvent) {
    EventFields.Kind kind = fields.kind(FieldNames.ID);
    if (!isId(kind, fields)) {
      event.lsb = withoutId(identity, event.index, event.to);
      return true;
    }
    int from = fields.from(FieldNames.ID);
    int to = fields.to(FieldNames.ID);
    byte[] source = cloudEvent ? utf8(event, fields, FieldNames.CE_SOURCE) : NO_SOURCE;
    byte[] id = event.bytes;
    if (kind == EventFields.Kind.ESCAPED) {
      id = utf8(event, fields, FieldNames.ID);
      from = 0;
      to = id == null ? 0 : id.length;
    }
    if (id == null || source == null) {
      return false;
    }
    event.lsb = identity.ofId(event.typed().utf8(), source, id, from, to);
    return true;
  }

  /** An id is a number, or a string that is not empty. */
  private static boolean isId(EventFields.Kind kind, EventFields fields) {
    return kind == EventFields.Kind.NUMBER
        || kind.isText() && fields.from(FieldNames.ID) < fields.to(FieldNames.ID);
  }

  private static byte @Nullable [] utf8(DecodedItem event, EventFields fields, int slot) {
    return Utf8.encode(JsonText.text(event.bytes, fields.from(slot), fields.to(slot)));
  }

  /**
   * Names the events of one request.
   *
   * @param key the idempotency key; null if there is none
   * @param numbers the numbers of this process
   */
  public static ColumnNamer ofRequest(Body body, @Nullable String key, TimeUuidGenerator numbers) {
    return key == null ? new ByNumber(body, numbers) : new ByKey(body, key);
  }

  public static ColumnNamer ofRecords(RecordBatch records) {
    return new ByOffset(records);
  }

  private static final class ByOffset extends ColumnNamer {
    private final RecordBatch records;
    private boolean isHashed;
    private long partition;

    private ByOffset(RecordBatch records) {
      this.records = records;
    }

    @Override
    protected long withoutId(Identity identity, int index, int end) {
      if (!isHashed) {
        partition = identity.ofPartition(records.topic(), records.partition());
        isHashed = true;
      }
      return Identity.offset(partition, records.offset(index));
    }
  }

  private static final class ByKey extends ColumnNamer {
    private final Body body;
    private final String key;
    private boolean isHashed;
    private long request;

    private ByKey(Body body, String key) {
      this.body = body;
      this.key = key;
    }

    @Override
    protected long withoutId(Identity identity, int index, int end) {
      if (!isHashed) {
        MessageDigest sha256 = Identity.newSha256();
        sha256.update(body.bytes(), 0, body.length());
        request = identity.ofRequest(key, sha256.digest());
        isHashed = true;
      }
      return Identity.position(request, index);
    }
  }

  private static final class ByNumber extends ColumnNamer {
    // Numbers are reserved in blocks, one block for most requests: names that follow one another
    // are short on disk. A small request does not take many.
    private static final int BLOCK_MAX = 4096;
    private static final int BYTES_PER_NUMBER = 64;

    private final Body body;
    private final TimeUuidGenerator numbers;
    private long next;
    private long blockEnd;

    private ByNumber(Body body, TimeUuidGenerator numbers) {
      this.body = body;
      this.numbers = numbers;
    }

    @Override
    protected long withoutId(Identity identity, int index, int end) {
      if (next == blockEnd) {
        int rest = (body.length() - end) / BYTES_PER_NUMBER + 1;
        int count = Math.min(BLOCK_MAX, rest);
        next = numbers.reserve(count);
        blockEnd = next + count;
      }
      return TimeUuidGenerator.lsb(next++);
    }
  }
}
