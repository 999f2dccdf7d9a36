package hourglass.config.gate.auth;

import hourglass.access.Client;
import hourglass.access.TypePatterns;
import hourglass.config.gate.RequestGate;
import hourglass.config.gate.keys.Key;
import hourglass.config.gate.keys.KeyRing;
import hourglass.config.gate.keys.Keys;
import hourglass.config.gate.keys.Scope;
import hourglass.config.gate.keys.SecretHash;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the key of a request: the one in a header, else the one in the session's cookie, else the
 * one whose name is in the client's certificate. Thread-safe.
 */
final class Authenticator {
  private final KeyRing ring;
  private final Sessions sessions;
  private final InstantSource clock;
  private final Function<HttpServerRequest, List<String>> certificateNames;

  /**
   * Creates an authenticator.
   *
   * @param certificateNames returns the names in the verified certificate of a client, best first;
   *     empty if there is none
   */
  Authenticator(
      KeyRing ring,
      Sessions sessions,
      InstantSource clock,
      Function<HttpServerRequest, List<String>> certificateNames) {
    this.ring = ring;
    this.sessions = sessions;
    this.clock = clock;
    this.certificateNames = certificateNames;
  }

  /**
   * Finds the caller of a request. {@code address} is the sender's address, to which a stranger's
   * share of each limit belongs.
   */
  Caller caller(HttpServerRequest request, Object address) {
    Credentials shown = Credentials.of(request.headers());
    boolean isWrong = shown != null;
    String cookie = shown == null ? cookie(request) : null;
    if (cookie != null) {
      shown = ofSession(cookie);
    }
    if (shown != null) {
      SecretHash hash = SecretHash.of(shown.secret());
      Key key = key(shown, hash);
      if (key != null) {
        return known(key, hash, cookie);
      }
    }
    Key certified = isWrong ? null : certified(certificateNames.apply(request));
    return certified == null
        ? new Caller(null, Client.open(address), isWrong)
        : known(certified, null, null);
  }

  Keys keys() {
    return ring.keys();
  }

  /**
   * Returns the session's cookie. Returns null if there is none, or if a page of another server
   * sends it, which may share our site.
   */
  static @Nullable String cookie(HttpServerRequest request) {
    Cookie cookie = request.getCookie(Sessions.COOKIE);
    return cookie == null || !RequestGate.isOfOwnPage(request) ? null : cookie.getValue();
  }

  private @Nullable Credentials ofSession(String cookie) {
    String secret = sessions.secret(cookie, ring.keys());
    return secret == null ? null : new Credentials(null, secret);
  }

  /**
   * Returns the key that the credentials open. Returns null if no key matches the secret, or the
   * key has another name or has expired.
   */
  @Nullable Key key(Credentials shown) {
    return key(shown, SecretHash.of(shown.secret()));
  }

  private @Nullable Key key(Credentials shown, SecretHash hash) {
    Key key = shown.secret().isEmpty() ? null : ring.keys().of(hash);
    return key == null
            || shown.name() != null && !shown.name().equals(key.name())
            || key.isExpired(clock.instant())
        ? null
        : key;
  }

  /**
   * Returns the key with the first name that is known. If that key has expired, no other name
   * replaces it. Returns null if there is no valid key.
   */
  @Nullable Key certified(List<String> names) {
    Keys keys = ring.keys();
    for (String name : names) {
      Key key = keys.named(name);
      if (key != null) {
        return key.isExpired(clock.instant()) ? null : key;
      }
    }
    return null;
  }

  /** Returns the client of a key that was found by its name. */
  Client client(Key key) {
    return known(key, null, null).client();
  }

  /**
   * Returns the caller with a valid key. When the key changes, its running requests are cancelled,
   * so that none keeps the old permissions. The same happens at the end of the session, if the key
   * was found by its cookie.
   */
  private Caller known(Key key, @Nullable SecretHash hash, @Nullable String cookie) {
    TypePatterns types = key.has(Scope.ADMIN) ? TypePatterns.ALL : key.types();
    Client client =
        new Client(
            "key " + key.name(),
            key.name(),
            types,
            key.limits(),
            () -> isCurrent(key, hash) && (cookie == null || ofSession(cookie) != null));
    return new Caller(key, client, false);
  }

  private boolean isCurrent(Key key, @Nullable SecretHash hash) {
    Keys keys = ring.keys();
    Key now = hash == null ? keys.named(key.name()) : keys.of(hash);
    return now != null && mayTheSame(now, key) && !now.isExpired(clock.instant());
  }

  /**
   * Returns whether two states of a key have the same permissions. Their secrets may differ,
   * because another one may have been added or revoked.
   */
  private static boolean mayTheSame(Key now, Key before) {
    return now.name().equals(before.name())
        && now.scopes().equals(before.scopes())
        && now.types().equals(before.types());
  }
}
