package hourglass.http;

import hourglass.access.SecretText;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** The body of an error (RFC 9457). */
public final class ProblemJson {
  public static final String CONTENT_TYPE = "application/problem+json";

  private ProblemJson() {}

  /** Returns the body. Secrets in the detail are hidden. The caller may add members. */
  public static JsonObject of(int status, @Nullable String detail) {
    JsonObject problem =
        new JsonObject()
            .put("type", "about:blank")
            .put("title", HttpResponseStatus.valueOf(status).reasonPhrase())
            .put("status", status);
    return detail == null ? problem : problem.put("detail", SecretText.hide(detail));
  }
}
