package hourglass.store.erasure;

import hourglass.bucketing.Identity;
import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;

/**
 * Hashes the names of erased columns: 64 bits of a SHA-256, so that nothing of a name can be
 * computed from its hash. Not thread-safe.
 */
final class NameHasher {
  private final MessageDigest sha256 = Identity.newSha256();
  private final byte[] digest = new byte[32];
  private final byte[] input = new byte[2 * Long.BYTES];
  private final ByteBuffer numbers = ByteBuffer.wrap(input);

  long ofName(long ticks, long lsb) {
    numbers.clear().putLong(ticks).putLong(lsb);
    return digest();
  }

  /** Hashes a name without its time. No name has the time 2^63. */
  long ofIdentity(long lsb) {
    return ofName(Long.MIN_VALUE, lsb);
  }

  private long digest() {
    try {
      sha256.update(input);
      sha256.digest(digest, 0, digest.length);
    } catch (DigestException e) {
      throw new IllegalStateException("32 bytes hold a SHA-256", e);
    }
    return ByteBuffer.wrap(digest).getLong();
  }
}
