package hourglass.ingest.protocols.otlp;

import hourglass.bytes.MalformedJsonException;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.http.ProtocolDecoder;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.protocols.protobuf.MalformedProtobufException;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** One request to export records of a signal. */
final class ExportRequest extends ProtocolDecoder {
  private final Otlp otlp;
  private final Signal signal;
  private final @Nullable ExportAnswer answer;
  private String ignoredBecause = "";
  private long ignored;

  /**
   * Creates a request.
   *
   * @param answer the answer in the encoding of the body; null for an encoding that is not accepted
   */
  ExportRequest(Otlp otlp, Signal signal, @Nullable ExportAnswer answer) {
    this.otlp = otlp;
    this.signal = signal;
    this.answer = answer;
  }

  @Override
  public boolean isPacked(MultiMap headers) {
    return answer == ExportAnswer.GRPC && Grpc.isPacked(headers);
  }

  @Override
  public void convert(Body body, MultiMap headers, ConvertedEvents events) {
    if (answer == null) {
      String contentType = headers.get(HttpHeaders.CONTENT_TYPE);
      throw new PushRefused(
          415,
          "Content-Type: "
              + (contentType == null ? "none" : '"' + contentType + '"')
              + ", want application/x-protobuf or application/json");
    }
    try {
      switch (answer) {
        case JSON -> convertJson(body, events);
        case PROTOBUF -> convertProtobuf(body, 0, events);
        case GRPC -> convertMessage(body, headers, events);
      }
    } catch (MalformedProtobufException | MalformedJsonException e) {
      throw new PushRefused(400, "body: " + e.getMessage());
    }
  }

  private void convertJson(Body body, ConvertedEvents events) {
    if (otlp.keeps(signal)) {
      new JsonRecords(signal, body, events).addEvents();
    } else {
      ignore(JsonCount.of(signal, body), events);
    }
  }

  private void convertProtobuf(Body body, int from, ConvertedEvents events) {
    if (otlp.keeps(signal)) {
      new ProtobufRecords(signal, body.bytes(), from, body.length(), events).addEvents();
    } else {
      ignore(ProtobufCount.of(signal, body.bytes(), from, body.length()), events);
    }
  }

  private void convertMessage(Body body, MultiMap headers, ConvertedEvents events) {
    if (!Grpc.isPackedMessage(body)) {
      convertProtobuf(body, Grpc.PREFIX_BYTES, events);
      return;
    }
    Body message = Grpc.unpack(body, headers, events);
    convertProtobuf(message, 0, events);
    events.memory().subtract(message.bytes().length);
  }

  private void ignore(long records, ConvertedEvents events) {
    ignored = records;
    if (ignored > 0) {
      ignoredBecause = signal.plural + " are not kept here";
      events.ignore(ignored, ignoredBecause);
      otlp.tellOfIgnored(signal, ignoredBecause);
    }
  }

  @Override
  public void answer(RoutingContext ctx, Verdicts verdicts) {
    ExportAnswer known = ExportAnswer.orJson(answer);
    if (ignored > 0) {
      known.partial(ctx, signal, ignored, ignoredBecause);
    } else if (verdicts.rejected() > 0) {
      known.partial(ctx, signal, verdicts.rejected(), problem(verdicts));
    } else {
      known.success(ctx);
    }
  }

  private static String problem(Verdicts verdicts) {
    Verdicts.ItemError first = verdicts.errors().get(0);
    return "record " + first.index() + ": " + first.reason();
  }
}
