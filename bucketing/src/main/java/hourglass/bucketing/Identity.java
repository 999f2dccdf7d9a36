package hourglass.bucketing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Turns an event's identity into the lower half of its column name, so that every repeat of the
 * event writes the same column. Not thread-safe.
 *
 * <p>An id becomes 60 bits of a SHA-256. Among a million ids in one tick of one row, one is lost
 * with a probability of 5 * 10^11 / 2^60 = 4 * 10^-7. With a faster hash an attacker could make two
 * ids collide and overwrite another event.
 *
 * <p>An event of a request or of a partition has a number, which is added to a hash of its source.
 * So two events of one source never collide, and consecutive names are short on disk. Identities of
 * different kinds never collide.
 */
public final class Identity {
  private static final byte ID = 1;
  private static final byte REQUEST = 2;
  private static final byte PARTITION = 3;
  private static final byte CONTENT = 4;

  /** The size of the buffer, in whole blocks of SHA-256. Most events are shorter. */
  private static final int GATHERED_BYTES = 16 * 64;

  private final MessageDigest sha256 = newSha256();
  private final byte[] digest = new byte[32];
  private final byte[] prefix = new byte[1 + 3 * Integer.BYTES];
  private final ByteBuffer numbers = ByteBuffer.wrap(prefix);
  private final byte[] gathered = new byte[GATHERED_BYTES];
  private final ByteBuffer gathering = ByteBuffer.wrap(gathered);

  /** Creates a SHA-256, such as the one whose digest of a body {@link #ofRequest} accepts. */
  public static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Hashes an id, which is unique within its type, source (perhaps empty) and time. */
  public long ofId(byte[] type, byte[] source, byte[] id, int idFrom, int idTo) {
    numbers.clear().put(ID).putInt(type.length).putInt(source.length).putInt(idTo - idFrom);
    sha256.update(prefix, 0, prefix.length);
    sha256.update(type);
    sha256.update(source);
    sha256.update(id, idFrom, idTo - idFrom);
    return TimeUuid.lsb(TimeUuid.HASHED, digest());
  }

  /** Returns 64 more bits of the last hash. */
  public long more() {
    return ByteBuffer.wrap(digest).getLong(Long.BYTES);
  }

  /**
   * Hashes the content of an event without an id.
   *
   * @param repeat the event's number among equal events of its request, from 0
   */
  public long ofContent(byte[] type, long ticks, int repeat, byte[] payload, int from, int to) {
    gathering.clear().put(CONTENT).putInt(type.length).putInt(repeat).putInt(to - from);
    gathering.putLong(ticks).put(type);
    // Each call of update costs as much as a block, so short payloads are gathered first.
    int first = Math.min(to - from, gathering.remaining());
    gathering.put(payload, from, first);
    sha256.update(gathered, 0, gathering.position());
    if (first < to - from) {
      sha256.update(payload, from + first, to - from - first);
    }
    return TimeUuid.lsb(TimeUuid.HASHED, digest());
  }

  public long ofRequest(String key, byte[] bodyDigest) {
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    numbers.clear().put(REQUEST).putInt(keyBytes.length).putInt(bodyDigest.length).putInt(0);
    sha256.update(prefix, 0, prefix.length);
    sha256.update(keyBytes);
    sha256.update(bodyDigest);
    return digest();
  }

  public long ofPartition(String topic, int partition) {
    byte[] topicBytes = topic.getBytes(StandardCharsets.UTF_8);
    numbers.clear().put(PARTITION).putInt(partition).putInt(topicBytes.length).putInt(0);
    sha256.update(prefix, 0, prefix.length);
    sha256.update(topicBytes);
    return digest();
  }

  /**
   * Returns the lower half of the name at a position of a request. It differs for each position.
   */
  public static long position(long request, int position) {
    return TimeUuid.lsb(TimeUuid.POSITION, request + position);
  }

  /**
   * Returns the lower half of the name at an offset of a partition. It differs for offsets less
   * than 2^60 apart.
   */
  public static long offset(long partition, long offset) {
    return TimeUuid.lsb(TimeUuid.OFFSET, partition + offset);
  }

  private long digest() {
    try {
      sha256.digest(digest, 0, digest.length);
    } catch (java.security.DigestException e) {
      throw new IllegalStateException("32 bytes hold a SHA-256", e);
    }
    return ByteBuffer.wrap(digest).getLong() & TimeUuid.VALUE_MASK;
  }
}
