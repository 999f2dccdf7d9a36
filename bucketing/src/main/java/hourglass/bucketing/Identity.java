package hourglass.bucketing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Turns the identity that an event brings into the lower half of its column name, so that every
 * repeat of the event writes the same column. Not thread-safe: one instance a thread.
 *
 * <p>Each is 60 bits of a SHA-256 over the kind of identity and its parts with their lengths: a
 * million in one tick of one row lose one with odds of 5 * 10^11 / 2^60 = 4 * 10^-7. SHA-256 rather
 * than a faster hash, because whoever can make two ids collide can overwrite another's event.
 */
public final class Identity {
  private static final byte ID = 1;
  private static final byte REQUEST = 2;
  private static final byte RECORD = 3;

  /** An odd number close to 2^60 divided by the golden ratio: positions land far apart. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L >>> 4 | 1;

  private final MessageDigest sha256 = newSha256();
  private final byte[] digest = new byte[32];
  private final byte[] prefix = new byte[1 + 3 * Integer.BYTES];
  private final ByteBuffer numbers = ByteBuffer.wrap(prefix);

  /** A digest for a request's body; see {@link #request}. */
  public static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * An event that names itself: unique within its type, source and time.
   *
   * @param source CloudEvents' source, empty where there is none
   */
  public long ofId(byte[] type, byte[] source, byte[] id, int idFrom, int idTo) {
    numbers.clear().put(ID).putInt(type.length).putInt(source.length).putInt(idTo - idFrom);
    sha256.update(prefix, 0, prefix.length);
    sha256.update(type);
    sha256.update(source);
    sha256.update(id, idFrom, idTo - idFrom);
    return NameValue.lsb(NameValue.HASHED, digest());
  }

  /**
   * The seed of a request with an {@code Idempotency-Key}, for {@link #position}.
   *
   * @param bodyDigest SHA-256 of the decoded body
   */
  public long request(String key, byte[] bodyDigest) {
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    numbers.clear().put(REQUEST).putInt(keyBytes.length).putInt(bodyDigest.length).putInt(0);
    sha256.update(prefix, 0, prefix.length);
    sha256.update(keyBytes);
    sha256.update(bodyDigest);
    return digest();
  }

  /**
   * The event at a position of a request: never equal for two positions of one request, since an
   * odd factor permutes the 60-bit numbers.
   */
  public static long position(long requestSeed, int position) {
    return NameValue.lsb(NameValue.HASHED, requestSeed + position * SPREAD);
  }

  /** A record of a log: topic, partition and offset. */
  public long ofRecord(String topic, int partition, long offset) {
    byte[] topicBytes = topic.getBytes(StandardCharsets.UTF_8);
    numbers.clear().put(RECORD).putInt(partition).putLong(offset);
    sha256.update(prefix, 0, prefix.length);
    sha256.update(topicBytes);
    return NameValue.lsb(NameValue.HASHED, digest());
  }

  private long digest() {
    try {
      sha256.digest(digest, 0, digest.length);
    } catch (java.security.DigestException e) {
      throw new IllegalStateException("32 bytes hold a SHA-256", e);
    }
    return ByteBuffer.wrap(digest).getLong() & NameValue.VALUE_MASK;
  }
}
