package hourglass.query.http;

import hourglass.query.encode.EventFormat;
import io.vertx.ext.web.MIMEHeader;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the format of an answer: the parameter {@code format} overrides the Accept header. */
final class Negotiation {
  private Negotiation() {}

  /**
   * The format of the answer; JSON without a parameter and an Accept header.
   *
   * @param asked the value of the parameter, or null
   * @throws HttpException 406 if the client accepts no known format
   */
  static EventFormat format(RoutingContext ctx, @Nullable EventFormat asked) {
    if (asked != null) {
      return asked;
    }
    List<MIMEHeader> accepted = ctx.parsedHeaders().accept();
    if (accepted.isEmpty()) {
      return EventFormat.JSON;
    }
    for (MIMEHeader header : accepted) {
      EventFormat format = header.weight() > 0 ? of(header) : null;
      if (format != null) {
        return format;
      }
    }
    throw new HttpException(
        406,
        ("Accept: \"%s\" is none of application/json, application/x-ndjson, text/csv,"
                + " application/cloudevents-batch+json")
            .formatted(ctx.request().getHeader("Accept")));
  }

  private static @Nullable EventFormat of(MIMEHeader header) {
    return switch (header.component() + "/" + header.subComponent()) {
      case "*/*", "application/*", "application/json" -> EventFormat.JSON;
      case "application/x-ndjson", "application/ndjson", "application/jsonl" -> EventFormat.NDJSON;
      case "text/csv", "text/*" -> EventFormat.CSV;
      case "application/cloudevents-batch+json" -> EventFormat.CLOUDEVENTS;
      default -> null;
    };
  }
}
