package hourglass.ingest;

import hourglass.bucketing.Identity;
import hourglass.bucketing.TimeUuidGenerator;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** The items of a request's body; named by its key and their places, or by running numbers. */
final class RequestItems extends Items {
  // Numbers are reserved in blocks: one for most requests, so that the names of a request lie close
  // together, but not so large that a request of one event takes many.
  private static final int NUMBERS_MAX = 4096;
  private static final int BYTES_PER_NUMBER = 64;

  private final IngestRequest request;
  private final TimeUuidGenerator names;
  private boolean hashed;
  private long source;
  private long nextNumber;
  private long numbersEnd;

  RequestItems(IngestRequest request, TimeUuidGenerator names) {
    super(request.body(), request.mapping(), BodyCursor.of(request.body(), request.format()));
    this.request = request;
    this.names = names;
  }

  @Override
  void begin(EventDecoder decoder) {
    decoder.format(request.format(), request.mapping());
  }

  @Override
  void prepare(EventDecoder decoder) {
    // All items are alike.
  }

  @Override
  @Nullable String unreadable() {
    return null;
  }

  @Override
  long lsb(Identity identity, int end) {
    String key = request.idempotencyKey();
    if (key != null) {
      return Identity.position(source(identity, key), cursor().index());
    }
    if (nextNumber == numbersEnd) {
      int rest = (length() - end) / BYTES_PER_NUMBER + 1;
      int count = Math.min(NUMBERS_MAX, rest);
      nextNumber = names.reserve(count);
      numbersEnd = nextNumber + count;
    }
    return TimeUuidGenerator.lsb(nextNumber++);
  }

  private long source(Identity identity, String key) {
    if (!hashed) {
      MessageDigest sha256 = Identity.newSha256();
      sha256.update(bytes(), 0, length());
      source = identity.ofRequest(key, sha256.digest());
      hashed = true;
    }
    return source;
  }

  @Override
  int toldMax(IngestOptions options) {
    return options.errorsListedMax();
  }
}
