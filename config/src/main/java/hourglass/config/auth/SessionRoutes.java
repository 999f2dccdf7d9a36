package hourglass.config.auth;

import hourglass.config.keys.Key;
import hourglass.config.keys.Scope;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.HttpException;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/session}: begins, shows and ends the session of a browser. Thread-safe. */
final class SessionRoutes {
  static final String PATH = "/api/v1/session";

  /** A key has 46 characters. */
  private static final long BODY_BYTES_MAX = 4_096;

  private final Authenticator authenticator;
  private final Sessions sessions;
  private final Handler<RoutingContext> refuseWrong;

  SessionRoutes(
      Authenticator authenticator, Sessions sessions, Handler<RoutingContext> refuseWrong) {
    this.authenticator = authenticator;
    this.sessions = sessions;
    this.refuseWrong = refuseWrong;
  }

  void mount(Router router) {
    router
        .post(PATH)
        .handler(BodyHandler.create(false).setBodyLimit(BODY_BYTES_MAX))
        .handler(this::begin);
    router.get(PATH).handler(this::show);
    router.delete(PATH).handler(this::end);
  }

  private void begin(RoutingContext ctx) {
    String secret = secret(ctx.body().buffer());
    if (secret == null) {
      ctx.fail(new HttpException(400, "body: want {\"key\":\"SECRET\"}"));
    } else if (authenticator.key(new Credentials(null, secret)) == null) {
      refuseWrong.handle(ctx);
    } else {
      answer(ctx, sessions.begin(secret), "");
    }
  }

  private static @Nullable String secret(@Nullable Buffer body) {
    try {
      return body == null ? null : new JsonObject(body).getString("key");
    } catch (DecodeException | ClassCastException e) {
      return null; // neither shows the body, in which there may be a secret
    }
  }

  private void show(RoutingContext ctx) {
    Key key = AccessGate.keyOf(ctx);
    if (key == null) {
      if (AccessGate.hasWrongKey(ctx)) {
        refuseWrong.handle(ctx);
      } else {
        AccessGate.unauthorized(ctx, "there is no session");
      }
      return;
    }
    JsonObject session =
        new JsonObject()
            .put("name", key.name())
            .put("scopes", new JsonArray(key.scopes().stream().map(Scope::text).sorted().toList()))
            .put("types", new JsonArray(key.types().texts()));
    ctx.response().putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    ctx.json(session);
  }

  private void end(RoutingContext ctx) {
    String cookie = Authenticator.cookie(ctx.request());
    if (cookie != null) {
      sessions.end(cookie, authenticator.keys());
    }
    answer(ctx, "", "; Max-Age=0");
  }

  /** Without an age, a cookie is gone with its browser. */
  private static void answer(RoutingContext ctx, String value, String age) {
    String cookie = Sessions.COOKIE + "=" + value + "; Path=/; HttpOnly; SameSite=Strict" + age;
    ctx.response()
        .putHeader(HttpHeaders.SET_COOKIE, ctx.request().isSSL() ? cookie + "; Secure" : cookie)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .setStatusCode(204)
        .end();
  }
}
