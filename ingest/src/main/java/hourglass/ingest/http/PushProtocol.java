package hourglass.ingest.http;

import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.Memory;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/**
 * A protocol of other logs, which their clients speak over HTTP. It turns bodies into events, and
 * answers in its own form; reading, limits, memory and the store are the same for all protocols.
 * Thread-safe.
 */
public abstract class PushProtocol {
  /**
   * The largest body whose growth is foreseen. A larger one reserves no more than it needs, even
   * after a push of another kind.
   */
  private static final int FORESEEN_BYTES_MAX = 1 << 20;

  private static final int GROWTH_MAX = 4;

  /** The factor for pushes of one client that are alike, but not the same. */
  private static final float MARGIN = 1.05f;

  private final String name;
  private final PushRules rules;

  /** The length of the events of the last push, in multiples of its body. */
  private volatile float growth = 1;

  /**
   * Creates a protocol.
   *
   * @param name the name in lower case, as in {@code protocols.NAME} of the settings
   */
  protected PushProtocol(String name, PushRules rules) {
    this.name = name;
    this.rules = rules;
  }

  /**
   * Returns the name in lower case, as in {@code protocols.NAME} of the settings. Metrics use it as
   * a label.
   */
  public final String name() {
    return name;
  }

  public final PushRules rules() {
    return rules;
  }

  /**
   * Returns the bytes that the events of a body likely need, since an array that grows is copied.
   */
  final int likelyBytes(int bodyBytes) {
    return bodyBytes > FORESEEN_BYTES_MAX ? bodyBytes : (int) (bodyBytes * growth);
  }

  final void converted(int bodyBytes, int eventBytes) {
    float ratio = MARGIN * eventBytes / Math.max(1, bodyBytes);
    growth = Math.max(1, Math.min(GROWTH_MAX, ratio));
  }

  /** Mounts the routes of the protocol. Those that push hand their requests to {@code pushes}. */
  public abstract void mount(Router router, Pushes pushes);

  /** Returns whether a request to this path is refused in the form of this protocol. */
  public abstract boolean owns(String path);

  /**
   * Answers a request that stored no event: without a valid key, above a limit, in overload,
   * unreadable, or not found. By the rules of its protocol, a client must see that it may repeat
   * the request exactly where {@link PushRefused#isTransient}.
   */
  public abstract void refuse(RoutingContext ctx, PushRefused refused);

  /**
   * Returns whether the protocol itself unpacks bodies of this Content-Encoding; null if the
   * request has none.
   */
  public boolean unpacks(@Nullable String contentEncoding) {
    return false;
  }

  /** Handles the requests of protocols. Thread-safe. */
  public interface Pushes {
    /** Reads and answers a push, whose body has not been read yet. */
    void handle(RoutingContext ctx, Request request);

    /**
     * Reads and answers a push whose events are stored while it is read. Only their ids identify
     * the events: the identity of the rules must be {@code NONE}, also in a request.
     */
    void stream(RoutingContext ctx, StreamOpening opening);
  }

  /** Answers a stream that was read to its end, and whose events are all stored. */
  public void answerStream(RoutingContext ctx) {
    ctx.response().end();
  }

  /** Begins to read a request as a stream. */
  public interface StreamOpening {
    /**
     * Returns a reader of the body.
     *
     * @param memory the memory of all that the reader holds between two pieces; it is taken back
     *     with the request
     * @throws PushRefused if no event of the body is read
     */
    StreamReader open(Memory memory, int maxEventBytes);
  }

  /** The body of one request, in pieces. Its methods are called on an event loop. */
  public interface StreamReader {
    /**
     * Reads the next piece, and adds the events that end in it.
     *
     * <p>Where memory is short it throws {@link Memory#tooMuch}, at any event. The events added so
     * far are stored. The call is then repeated with the same piece, and continues at that event.
     *
     * @throws PushRefused if the rest cannot be read; the events added so far are stored
     */
    void read(Buffer piece, ConvertedEvents events);

    /** Ends the body. Throws as {@link #read} does. */
    void end(ConvertedEvents events);
  }

  /** One request. Its methods are called once each, in this order, never at the same time. */
  public interface Request {
    /**
     * Returns whether a part of the body is packed, so that {@link #convert} must run on a worker.
     */
    default boolean isPacked(MultiMap headers) {
      return false;
    }

    /**
     * Returns whether the answer contains a verdict for each event. Otherwise a request is refused
     * as a whole if the client may push none of its events.
     */
    default boolean answersEach() {
      return false;
    }

    /** Returns whether a body without a record is refused, and counted as one rejected event. */
    default boolean mustHaveEvents() {
      return false;
    }

    /**
     * Reads a body to its end. Runs on a worker or on an event loop.
     *
     * @param body the body, unpacked by its Content-Encoding
     * @throws PushRefused if no event of the body is stored, as when it cannot be read
     */
    void convert(Body body, MultiMap headers, ConvertedEvents events);

    /** Answers a request. The verdicts list every rejected event by its place, from 0. */
    void answer(RoutingContext ctx, Verdicts verdicts);
  }
}
