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
 * A protocol of other logs, spoken over HTTP by their clients. It turns bodies into events, and
 * answers in its own form; reading, limits, memory and the store are the same for all. Thread-safe.
 */
public abstract class PushProtocol {
  /** A larger body reserves no more than it needs, even after a push of another kind. */
  private static final int FORESEEN_BYTES_MAX = 1 << 20;

  private static final int GROWTH_MAX = 4;

  /** Pushes of one client are alike, but not the same. */
  private static final float MARGIN = 1.05f;

  private final String name;
  private final ProtocolRules rules;

  /** How many times larger than its body the events of the last push were. */
  private volatile float growth = 1;

  /**
   * @param name in lower case, as in {@code protocols.NAME} of the settings
   */
  protected PushProtocol(String name, ProtocolRules rules) {
    this.name = name;
    this.rules = rules;
  }

  /** In lower case, as in {@code protocols.NAME} of the settings; the label of its metrics. */
  public final String name() {
    return name;
  }

  public final ProtocolRules rules() {
    return rules;
  }

  /** Bytes that the events of a body likely take. An array that grows is copied. */
  final int likelyBytes(int bodyBytes) {
    return bodyBytes > FORESEEN_BYTES_MAX ? bodyBytes : (int) (bodyBytes * growth);
  }

  final void converted(int bodyBytes, int eventBytes) {
    float ratio = MARGIN * eventBytes / Math.max(1, bodyBytes);
    growth = Math.max(1, Math.min(GROWTH_MAX, ratio));
  }

  /** Mounts its routes; those that push hand their requests to {@code pushes}. */
  public abstract void mount(Router router, Pushes pushes);

  /** Whether a request to this path is refused in the form of this protocol. */
  public abstract boolean owns(String path);

  /**
   * Answers a request of which nothing is stored: without a right key, above a limit, in overload,
   * unreadable, or not found. A client that repeats it must find what may be repeated by its own
   * rules: where {@link PushRefused#isTransient}.
   */
  public abstract void refuse(RoutingContext ctx, PushRefused refused);

  /** Whether it unpacks bodies of this Content-Encoding itself; null: the request has none. */
  public boolean unpacks(@Nullable String contentEncoding) {
    return false;
  }

  /** Where requests of protocols go. Thread-safe. */
  public interface Pushes {
    /** Reads and answers a push. Its body was not read yet. */
    void handle(RoutingContext ctx, Request request);

    /**
     * Reads and answers a push whose events are stored while it is read. Events are known by their
     * ids alone: the identity of the rules must be {@code NONE}, also in a request.
     */
    void stream(RoutingContext ctx, StreamOpening opening);
  }

  /** Answers a stream that was read to its end, and of which everything is stored. */
  public void answerStream(RoutingContext ctx) {
    ctx.response().end();
  }

  /** Begins to read a request as a stream. */
  public interface StreamOpening {
    /**
     * A reader of its body.
     *
     * @param memory of all that it holds between two pieces; it is taken back with the request
     * @throws PushRefused if none of it is read
     */
    StreamReader open(Memory memory, int maxEventBytes);
  }

  /** The body of one request, in pieces. Its methods are called on an event loop. */
  public interface StreamReader {
    /**
     * Reads the next piece, and adds the events that have ended in it.
     *
     * <p>Where memory is short it throws {@link Memory#tooMuch}, at any event. What was added is
     * stored. The call is then repeated with the same piece, and goes on at that event.
     *
     * @throws PushRefused if nothing behind it can be read; what was added is stored
     */
    void read(Buffer piece, ConvertedEvents events);

    /** The body has ended. Throws as {@link #read}. */
    void end(ConvertedEvents events);
  }

  /** One request. Its methods are called once each, in this order, never at the same time. */
  public interface Request {
    /** Whether a part of the body is packed, so that {@link #convert} must run on a worker. */
    default boolean isPacked(MultiMap headers) {
      return false;
    }

    /**
     * Whether the answer has a verdict for each event. Else a request of which the client may push
     * nothing is refused whole.
     */
    default boolean answersEach() {
      return false;
    }

    /** Whether a body without a record is refused, and so counted as one that is. */
    default boolean mustHaveEvents() {
      return false;
    }

    /**
     * Reads a body to its end. Runs on a worker or on an event loop.
     *
     * @param body unpacked as Content-Encoding says
     * @throws PushRefused if nothing of it is stored, as with a body that cannot be read
     */
    void convert(Body body, MultiMap headers, ConvertedEvents events);

    /** Answers; the verdicts list every rejected event by its place, from 0. */
    void answer(RoutingContext ctx, Verdicts verdicts);
  }
}
