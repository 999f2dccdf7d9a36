package hourglass.ingest.protocols.loki;

import hourglass.bytes.JsonScan;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.http.IngestRoutes;
import hourglass.ingest.http.ProtocolDecoder;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.http.PushRules;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Serves the path of Loki's push, with 204 or a line of text.
 *
 * <p>A line that is no entry does not fail its request, which some clients would repeat for ever.
 * Source: the push endpoint of Loki's HTTP API, and its parser of push requests.
 */
public final class LokiPush extends PushProtocol {
  public static final String NAME = "loki";

  /**
   * The default rules. Some clients send a batch again together with newer lines, so the body does
   * not identify its events.
   */
  public static final PushRules DEFAULTS =
      PushRules.ofProtocol("unknown_service", IdentityRule.CONTENT);

  private static final String PATH = "/loki/api/v1/push";

  public LokiPush(PushRules rules) {
    super(NAME, rules);
  }

  @Override
  public void mount(Router router, IngestRoutes pushes) {
    router.post(PATH).handler(ctx -> pushes.push(this, ctx, new Decoder()));
  }

  @Override
  public void mountForm(Router router, Handler<RoutingContext> form) {
    router.route(PATH + "*").handler(form);
  }

  /**
   * Returns true for Snappy. Protocol buffers are always packed with it, and some clients also name
   * it in the header.
   */
  @Override
  public boolean unpacks(@Nullable String contentEncoding) {
    return "snappy".equalsIgnoreCase(contentEncoding);
  }

  /**
   * Answers with 429 or 503 where a repeat may help: some clients repeat a push after no other
   * status.
   */
  @Override
  public void refuse(RoutingContext ctx, PushRefused refused) {
    HttpServerResponse response = ctx.response();
    if (response.closed() || response.ended()) {
      return;
    }
    refused.putHeader(response);
    int status = refused.status();
    response
        .setStatusCode(refused.isTransient() && status != 429 ? 503 : status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
        .end(refused.detail() + "\n");
  }

  private static final class Decoder extends ProtocolDecoder {
    @Override
    public void convert(Body body, MultiMap headers, ConvertedEvents events) {
      if (isJson(headers.get(HttpHeaders.CONTENT_TYPE), body)) {
        new JsonPush(body, events).read();
        return;
      }
      int reserved = Snappy.unpackedBytes(body, events.limits().bodyBytesMax()) + Body.PADDING;
      events.memory().reserve(reserved);
      new ProtobufPush(Snappy.unpack(body), events).read();
      events.memory().subtract(reserved);
    }

    /**
     * Returns whether a body is JSON, by the content type as Loki reads it. If that does not
     * decide, the first byte does.
     */
    private static boolean isJson(@Nullable String contentType, Body body) {
      String type = contentType == null ? "" : contentType.toLowerCase(Locale.ROOT);
      if (type.contains("json") || type.contains("protobuf")) {
        return type.contains("json");
      }
      return body.bytes()[JsonScan.skipSpace(body.bytes(), 0, body.length())] == '{';
    }

    @Override
    public void answer(RoutingContext ctx, Verdicts verdicts) {
      ctx.response().setStatusCode(204).end();
    }
  }
}
