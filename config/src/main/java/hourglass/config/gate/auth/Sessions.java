package hourglass.config.gate.auth;

import hourglass.config.gate.keys.Keys;
import hourglass.config.gate.keys.SecretHash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of browsers, which are stored in their cookies alone. A session is therefore valid
 * in every process that has the same file of keys, and ends with its key.
 *
 * <p>A cookie contains the secret, encrypted by AES-256-GCM with a key derived from the secret's
 * hash, in base64url:
 *
 * <pre>
 * id of the hash 4 | nonce 12 | encrypted { end of the session, epoch seconds 8 | secret n } | tag 16
 * </pre>
 *
 * <p>A person who can read the file of keys therefore cannot make a cookie, and a thief of a cookie
 * does not know the secret. Thread-safe.
 */
final class Sessions {
  static final String COOKIE = "hourglass-session";

  /** The longest time for which a session is valid, and so a stolen cookie. */
  private static final Duration LENGTH = Duration.ofDays(7);

  /**
   * The most ended sessions that are remembered. Beyond this number the oldest could be used again.
   */
  private static final int ENDED_MAX = 10_000;

  private static final int ID_BYTES = 4;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  /**
   * The length limit of a cookie, which is longer than that of any secret that the server makes.
   */
  private static final int COOKIE_LENGTH_MAX = 1_024;

  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final Set<String> ended =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > ENDED_MAX;
                }
              }));

  Sessions(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns the cookie of a new session. The secret must open a key. */
  String begin(String secret) {
    SecretHash hash = SecretHash.of(secret);
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] utf8 = secret.getBytes(StandardCharsets.UTF_8);
    long end = clock.instant().plus(LENGTH).getEpochSecond();
    byte[] plain = ByteBuffer.allocate(Long.BYTES + utf8.length).putLong(end).put(utf8).array();
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, hash, nonce).doFinal(plain);
      ByteBuffer cookie = ByteBuffer.allocate(ID_BYTES + NONCE_BYTES + sealed.length);
      cookie.put(HexFormat.of().parseHex(hash.id())).put(nonce).put(sealed);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(cookie.array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES-GCM", e);
    }
  }

  /**
   * Returns the secret of a session, or null if the cookie is not valid or the session has ended.
   */
  @Nullable String secret(String cookie, Keys keys) {
    Sealed sealed = Sealed.parse(cookie);
    if (sealed == null || ended.contains(sealed.nonce)) {
      return null;
    }
    for (SecretHash hash : keys.withId(sealed.id)) {
      String secret = open(hash, sealed);
      if (secret != null) {
        return secret;
      }
    }
    return null;
  }

  /** The parts of a cookie, in hexadecimal digits. */
  private record Sealed(String id, String nonce, String encrypted) {
    static @Nullable Sealed parse(String cookie) {
      if (cookie.length() > COOKIE_LENGTH_MAX) {
        return null;
      }
      byte[] bytes;
      try {
        bytes = Base64.getUrlDecoder().decode(cookie);
      } catch (IllegalArgumentException e) {
        return null;
      }
      int head = ID_BYTES + NONCE_BYTES;
      return bytes.length <= head + TAG_BITS / 8
          ? null
          : new Sealed(
              HexFormat.of().formatHex(bytes, 0, ID_BYTES),
              HexFormat.of().formatHex(bytes, ID_BYTES, head),
              HexFormat.of().formatHex(bytes, head, bytes.length));
    }
  }

  private @Nullable String open(SecretHash hash, Sealed sealed) {
    try {
      byte[] nonce = HexFormat.of().parseHex(sealed.nonce);
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, hash, nonce);
      byte[] encrypted = HexFormat.of().parseHex(sealed.encrypted);
      ByteBuffer plain = ByteBuffer.wrap(cipher.doFinal(encrypted));
      Instant end = Instant.ofEpochSecond(plain.getLong());
      String secret = StandardCharsets.UTF_8.decode(plain).toString();
      return end.isAfter(clock.instant()) ? secret : null;
    } catch (GeneralSecurityException | RuntimeException e) {
      return null; // forged, perhaps by a reader of the keys file, or of another secret
    }
  }

  private static Cipher cipher(int mode, SecretHash hash, byte[] nonce)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    SecretKeySpec key = new SecretKeySpec(hash.sessionKey(), "AES");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }

  /**
   * Ends a session in this process. Other processes still accept the cookie, which its browser
   * deletes. A cookie that opens no session is not remembered, because a stranger could make up so
   * many that real ones would be forgotten.
   */
  void end(String cookie, Keys keys) {
    Sealed sealed = Sealed.parse(cookie);
    if (sealed != null && secret(cookie, keys) != null) {
      ended.add(sealed.nonce);
    }
  }
}
