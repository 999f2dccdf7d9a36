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
 * Finds the key of a request: in a header, else in the session's cookie, else by the name in a
 * client's certificate. Thread-safe.
 */
final class Authenticator {
  private final KeyRing ring;
  private final Sessions sessions;
  private final InstantSource clock;
  private final Function<HttpServerRequest, List<String>> certificateNames;

  /**
   * Reads client certificates by a function.
   *
   * @param certificateNames the names that the verified certificate of a client has, best first;
   *     empty where there is none
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

  /** The address is that of the sender, for a stranger's share of everything. */
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
   * Null where there is none, or where a page of another server sends it: it may be our sibling.
   */
  static @Nullable String cookie(HttpServerRequest request) {
    Cookie cookie = request.getCookie(Sessions.COOKIE);
    return cookie == null || !RequestGate.isOfOwnPage(request) ? null : cookie.getValue();
  }

  private @Nullable Credentials ofSession(String cookie) {
    String secret = sessions.secret(cookie, ring.keys());
    return secret == null ? null : new Credentials(null, secret);
  }

  /** Null if it opens no key, or none of that name, or one that has expired. */
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

  /** The first name counts: if its key has expired, no other name stands in for it. */
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

  /** The client of a key that was found by its name. */
  Client client(Key key) {
    return known(key, null, null).client();
  }

  /**
   * A change of the key ends what runs with it, so that nothing runs with what it was before. So
   * does the end of the session, if it came by its cookie.
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

  /** Another secret of the name may have been added or revoked. */
  private static boolean mayTheSame(Key now, Key before) {
    return now.name().equals(before.name())
        && now.scopes().equals(before.scopes())
        && now.types().equals(before.types());
  }
}
