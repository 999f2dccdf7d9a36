package hourglass.ingest.protocols.elastic;

import hourglass.bytes.Json;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.service.Verdicts.ItemError;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a bulk, with an item for each action. A long one is written in pieces, as fast as
 * the client reads it. It stays on its event loop.
 *
 * <pre>
 * {"took":3,"errors":false,"items":[
 *   {"create":{"_index":"logs","_id":"7","status":201,"result":"created","_version":1}}]}
 * </pre>
 */
final class BulkAnswer {
  private static final int PIECE_BYTES = 64 << 10;
  private static final int ITEM_BYTES = 128;

  private static final byte[] ID = ascii(",\"_id\":");
  private static final byte[] CREATED =
      ascii(",\"status\":201,\"result\":\"created\",\"_version\":1}}");

  private final HttpServerResponse response;
  private final BulkItems.Cursor items;
  private final String idPrefix;
  private final List<ItemError> errors;
  private final byte @Nullable [] refusal;
  private final byte[] tail;
  private int nextError;
  private Buffer piece;

  private BulkAnswer(
      HttpServerResponse response,
      BulkItems items,
      String idPrefix,
      List<ItemError> errors,
      byte @Nullable [] refusal,
      String head,
      String tail) {
    this.response = response;
    this.items = items.new Cursor();
    this.idPrefix = idPrefix;
    this.errors = errors;
    this.refusal = refusal;
    this.tail = ascii(tail);
    this.piece = Buffer.buffer(Math.min(PIECE_BYTES, ITEM_BYTES * (items.size() + 1)));
    piece.appendBytes(ascii(head));
  }

  /**
   * Answers with verdicts.
   *
   * @param idPrefix the prefix of the ids of documents without one; their places in the body follow
   *     it
   * @param errors by place, in order
   */
  static void send(
      HttpServerResponse response,
      long tookMillis,
      BulkItems items,
      String idPrefix,
      List<ItemError> errors) {
    String head = "{\"took\":" + tookMillis + ",\"errors\":" + !errors.isEmpty() + ",\"items\":[";
    new BulkAnswer(response, items, idPrefix, errors, null, head, "]}").go();
  }

  /** Answers that each item may be sent again. */
  static void sendOverloaded(HttpServerResponse response, BulkItems items, ElasticError error) {
    String item = ",\"status\":429,\"error\":" + error.cause() + "}}";
    new BulkAnswer(
            response,
            items,
            "",
            List.of(),
            item.getBytes(StandardCharsets.UTF_8),
            "{\"took\":0,\"errors\":true,\"items\":[",
            "]," + error.members() + "}")
        .go();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void go() {
    while (!response.closed()) {
      while (items.hasNext() && piece.length() < PIECE_BYTES) {
        item();
      }
      if (!items.hasNext()) {
        response.end(piece.appendBytes(tail));
        return;
      }
      if (!response.headWritten()) {
        response.setChunked(true);
      }
      response.write(piece);
      piece = Buffer.buffer(PIECE_BYTES + ITEM_BYTES);
      if (response.writeQueueFull()) {
        response.drainHandler(drained -> go());
        return;
      }
    }
  }

  private void item() {
    int place = items.place();
    String id = items.id();
    if (place > 0) {
      piece.appendByte((byte) ',');
    }
    piece.appendBuffer(items.take().answerHead());
    String problem = problemOf(place);
    if (id != null) {
      piece.appendBytes(ID).appendString(Json.quoted(id));
    } else if (problem == null && refusal == null) {
      piece.appendBytes(ID).appendString("\"" + idPrefix + place + "\"");
    }
    if (refusal != null) {
      piece.appendBytes(refusal);
    } else if (problem != null) {
      piece.appendString(rejected(problem));
    } else {
      piece.appendBytes(CREATED);
    }
  }

  /** Returns the problem of an item; null if it is stored. */
  private @Nullable String problemOf(int place) {
    if (nextError == errors.size() || errors.get(nextError).index() != place) {
      return null;
    }
    return errors.get(nextError++).reason();
  }

  /**
   * Returns the members of a rejected item. From the status, clients know that the document is
   * refused for good.
   */
  private static String rejected(String reason) {
    boolean isForbidden = reason.equals(Reason.TYPE_NOT_ALLOWED.text());
    String type = isForbidden ? "security_exception" : "document_parsing_exception";
    return ",\"status\":"
        + (isForbidden ? 403 : 400)
        + ",\"error\":"
        + new ElasticError(400, type, reason).cause()
        + "}}";
  }
}
