package hourglass.config.gate.keys;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The SHA-256 of a secret, which is all that is stored of it. Immutable.
 *
 * <p>A secret has 256 random bits, so guessing is hopeless, and a slow hash would add no
 * protection.
 */
public final class SecretHash {
  private static final String ALGORITHM = "SHA-256";
  private static final String PREFIX = "sha256:";
  private static final Pattern FORM = Pattern.compile(PREFIX + "[0-9a-fA-F]{64}");
  private static final int ID_LENGTH = 8;
  private static final byte[] SESSION_LABEL =
      "hourglass session 1".getBytes(StandardCharsets.UTF_8);

  private static final String SECRET_PREFIX = "hg_";
  private static final int SECRET_BYTES = 32;

  private final byte[] hash;

  private SecretHash(byte[] hash) {
    this.hash = hash;
  }

  /** Returns a new secret: {@code hg_} and 43 characters of base64url. */
  static String newSecret() {
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    return SECRET_PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  public static SecretHash of(String secret) {
    return new SecretHash(sha256().digest(secret.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Reads {@code sha256:} and 64 hexadecimal digits.
   *
   * @throws IllegalArgumentException if the text has another form; its message does not contain the
   *     text, which may be a secret
   */
  static SecretHash parse(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException("not sha256: and 64 hexadecimals");
    }
    return new SecretHash(HexFormat.of().parseHex(text, PREFIX.length(), text.length()));
  }

  String text() {
    return PREFIX + hex();
  }

  /** Returns the name of the secret for people: the first 8 hexadecimal digits of the hash. */
  public String id() {
    return hex().substring(0, ID_LENGTH);
  }

  private String hex() {
    return HexFormat.of().formatHex(hash);
  }

  /** Returns 32 bytes derived from the hash, to encrypt sessions with. */
  public byte[] sessionKey() {
    MessageDigest digest = sha256();
    digest.update(SESSION_LABEL);
    return digest.digest(hash);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance(ALGORITHM);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** Compares two hashes in a time that does not depend on where they differ. */
  @Override
  public boolean equals(Object other) {
    return other instanceof SecretHash that && MessageDigest.isEqual(hash, that.hash);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(hash);
  }

  /** Returns the id, never the hash, which belongs only in the file. */
  @Override
  public String toString() {
    return id();
  }
}
