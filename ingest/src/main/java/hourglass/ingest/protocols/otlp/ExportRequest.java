package hourglass.ingest.protocols.otlp;

import hourglass.ingest.Verdicts;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.MalformedJsonException;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.protocols.protobuf.MalformedProtobufException;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** One request to export records of a signal. */
final class ExportRequest implements PushProtocol.Request {
  private final Otlp otlp;
  private final Signal signal;
  private String ignoredBecause = "";
  private long ignored;

  ExportRequest(Otlp otlp, Signal signal) {
    this.otlp = otlp;
    this.signal = signal;
  }

  @Override
  public void convert(Body body, MultiMap headers, ConvertedEvents events) {
    String contentType = headers.get(HttpHeaders.CONTENT_TYPE);
    ExportAnswer encoding = ExportAnswer.ofType(contentType);
    if (encoding == null) {
      throw new PushRefused(
          415,
          "Content-Type: "
              + (contentType == null ? "none" : '"' + contentType + '"')
              + ", want application/x-protobuf or application/json");
    }
    try {
      convert(
          encoding == ExportAnswer.JSON
              ? new JsonRecords(signal, body, events)
              : new ProtobufRecords(signal, body.bytes(), 0, body.length(), events),
          events);
    } catch (MalformedProtobufException | MalformedJsonException e) {
      throw new PushRefused(400, "body: " + e.getMessage());
    }
  }

  private void convert(Records records, ConvertedEvents events) {
    if (otlp.keeps(signal)) {
      records.addEvents();
      return;
    }
    ignored = records.count();
    if (ignored > 0) {
      ignoredBecause = signal.plural + " are not kept here";
      events.ignore(ignored, ignoredBecause);
      otlp.tellOfIgnored(signal, ignoredBecause);
    }
  }

  @Override
  public void answer(RoutingContext ctx, Verdicts verdicts) {
    ExportAnswer answer = ExportAnswer.of(ctx);
    if (ignored > 0) {
      answer.partial(ctx, signal, ignored, ignoredBecause);
    } else if (verdicts.rejected() > 0) {
      answer.partial(ctx, signal, verdicts.rejected(), problem(verdicts));
    } else {
      answer.success(ctx);
    }
  }

  private static String problem(Verdicts verdicts) {
    Verdicts.ItemError first = verdicts.errors().get(0);
    return "record " + first.index() + ": " + first.reason();
  }
}
