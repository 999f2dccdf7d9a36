package hourglass.query.http;

import hourglass.access.Client;
import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import hourglass.query.QueryOptions;
import hourglass.query.fair.AnswerBody;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.AnswerOutput;
import hourglass.query.fair.QueryThread;
import hourglass.query.http.ResponseWatch.State;
import io.vertx.core.Context;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends an {@link AnswerBody}, at the pace of the slower of store and client.
 *
 * <pre>
 *   free chunks --(query's thread) fill, pack--> full chunk --(event loop) write--> socket
 *        ^                                                                            |
 *        +-------------------------------- written -----------------------------------+
 * </pre>
 *
 * The number of chunks is bounded. A client that does not read costs these chunks, the slices under
 * the merge and a thread that waits, but no place.
 *
 * <p>An answer is sent whole, with its facts in headers, if it fits into one chunk, or if it has a
 * limit and fits into all chunks. Other answers send their head first and their facts in trailers.
 * A failure after the head breaks the connection, so that the body never ends cleanly.
 */
final class ResponseStream implements AnswerOutput, ResponseWatch.Answer {
  private static final Logger logger = LoggerFactory.getLogger(ResponseStream.class);

  /** The longest wait of a filter's result in a chunk. An answer that ends sooner is sent whole. */
  private static final long FOUND_MILLIS = 200;

  private final RoutingContext ctx;
  private final Context context;
  private final BodyCoding accepted;
  private final Supplier<AnswerBody> source;
  private final boolean limited;
  private final Clock clock;
  private final QueryThread thread;
  private final ResponseWriter writer;
  private final ResponseWatch watch;
  private final QueryLimiter.Ticket ticket;
  private final AnswerBytes.Account account;
  private final Client client;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final ChunkPool chunks;

  /**
   * The body of the answer, from its begin until its last byte is in a chunk, or the answer has
   * ended; null otherwise.
   */
  private volatile @Nullable AnswerBody body;

  // Used by the query's thread only:
  private @Nullable Chunk current;
  private BodyCoding.@Nullable Packer packer;
  private List<Chunk> held = new ArrayList<>();
  private boolean streaming;

  /** When results were first seen in the unsent chunk; 0 if none were. */
  private long foundSinceMillis;

  /** Whether the answer is incomplete. Set before the answer is sent. */
  private volatile boolean partial;

  private volatile boolean dropAhead;

  ResponseStream(
      RoutingContext ctx,
      AnswerHead head,
      Supplier<AnswerBody> source,
      boolean limited,
      TimeLimit limit,
      QueryOptions options,
      Clock clock,
      QueryLimiter.Ticket ticket,
      AnswerBytes.Account account,
      Client client) {
    this.ctx = ctx;
    this.accepted = head.coding();
    this.source = source;
    this.limited = limited;
    this.clock = clock;
    this.ticket = ticket;
    this.account = account;
    this.client = client;
    chunks = new ChunkPool(options, account);
    thread = new QueryThread(ticket.lane(), ended::get, this::idle);
    watch = new ResponseWatch(clock, options, limit, ticket.reads());
    context = ctx.vertx().getOrCreateContext();
    writer =
        new ResponseWriter(
            ctx, context, head, client.quota(), ended::get, this::written, this::sent);
  }

  /** Starts the answer. Call it on the event loop. */
  void start() {
    ctx.response().closeHandler(closed -> closed());
    ctx.response().exceptionHandler(failure -> end("cancelled"));
    watch.start(ctx.vertx(), client, AnswerHead.requestId(ctx), this);
    ticket.begun(this);
    try {
      ticket.threads().execute(this::run);
    } catch (RuntimeException | Error e) { // the process stops, or may have no more threads
      fail(e);
    }
  }

  /**
   * Ends the answer if the client is gone. A stream of HTTP/2 also closes after its last byte,
   * which is then on its way.
   */
  private void closed() {
    if (!ctx.response().ended()) {
      end("cancelled");
    }
  }

  /**
   * Continues once the place is regained. May be called from any thread, like the methods below.
   */
  void resume() {
    thread.wake();
  }

  private void run() {
    try {
      thread.run(this::write);
    } catch (RuntimeException | Error e) { // the executor would drop an Error unseen
      fail(e);
    }
  }

  private void write() {
    if (ended.get()) {
      return;
    }
    AnswerBody begun = source.get();
    body = begun;
    if (ended.get()) {
      body = null; // the answer ended before the body existed
      return;
    }
    try {
      AnswerFacts facts = begun.write(this, thread);
      if (!ended.get()) {
        finish(facts);
      }
    } finally {
      if (packer != null) {
        packer.close();
      }
    }
  }

  /** Sends soon what is due or was found. Called between two events. */
  private void idle() {
    AnswerBody events = body;
    if (events != null) {
      events.writeDue(this);
      handIfDue(events);
    }
  }

  @Override
  public Chunk room(int bytes) {
    Chunk chunk = current;
    if (chunk != null && chunk.hasRoom(bytes)) {
      return chunk;
    }
    if (chunk != null) {
      hand(chunk);
    }
    Chunk next = takeChunk();
    var unused = next.hasRoom(bytes); // an empty chunk grows
    return next;
  }

  /** Takes an empty chunk, once the client has read enough and the query has its place. */
  private Chunk takeChunk() {
    if (!hasChunk()) {
      beginStreaming();
      rest();
      thread.await(
          () -> {
            dropAheadIfAsked();
            return hasChunk();
          });
      if (!ticket.works()) {
        watch.become(State.WITHOUT_PLACE); // the wait for a place is not the client's stall
        thread.await(ticket::works);
      }
      watch.become(State.RUNNING);
    }
    return Objects.requireNonNull(current);
  }

  private void dropAheadIfAsked() {
    AnswerBody events = body;
    if (dropAhead && events != null) {
      dropAhead = false;
      events.dropAhead();
    }
  }

  /** Takes an empty chunk if one is free or may be made. */
  private boolean hasChunk() {
    if (current == null) {
      current = chunks.take();
    }
    return current != null;
  }

  /** Waits for the client. The wait uses memory, but no place. */
  private void rest() {
    watch.become(State.STALLED);
    ticket.rest();
  }

  private void hand(Chunk chunk) {
    current = null;
    if (accepted != BodyCoding.IDENTITY) {
      packer = packer != null ? packer : new BodyCoding.Packer(accepted);
      packer.pack(chunk, false);
    }
    chunks.send(chunk);
    held.add(chunk);
    if (!limited) {
      beginStreaming();
    }
    if (streaming) {
      sendHeld();
    }
  }

  /** Sends results of a filter soon, even if they do not fill a chunk. */
  private void handIfDue(AnswerBody events) {
    Chunk chunk = current;
    if (limited || !events.hasFound() || chunk == null || chunk.length() == 0) {
      foundSinceMillis = 0;
    } else if (foundSinceMillis == 0) {
      foundSinceMillis = clock.millis();
    } else if (clock.millis() - foundSinceMillis >= FOUND_MILLIS) {
      foundSinceMillis = 0;
      hand(chunk);
    }
  }

  private void beginStreaming() {
    if (streaming) {
      return;
    }
    if (ctx.request().version() == HttpVersion.HTTP_1_0) {
      // HTTP/1.0 clients cannot distinguish the end of a body from a cut, and know no trailers.
      throw new HttpException(505, "an answer of this size needs HTTP/1.1; or ask for a limit");
    }
    streaming = true;
    writer.begin(accepted);
    sendHeld();
  }

  private void sendHeld() {
    List<Chunk> full = held;
    held = new ArrayList<>();
    writer.write(full);
  }

  private void written(Chunk chunk) {
    chunks.giveBack(chunk);
    thread.wake();
  }

  private void finish(AnswerFacts facts) {
    Chunk last = room(0);
    body = null; // the remaining chunks hold the rest
    account.keep(chunks.reservedBytes());
    if (accepted != BodyCoding.IDENTITY
        && packer == null
        && last.length() >= BodyCoding.BYTES_MIN) {
      packer = new BodyCoding.Packer(accepted);
    }
    BodyCoding coding = packer == null ? BodyCoding.IDENTITY : accepted;
    if (packer != null) {
      packer.pack(last, true);
    }
    held.add(last);
    partial = !facts.isComplete();
    if (streaming) {
      writer.rest(held, facts);
    } else {
      writer.whole(held, coding, facts);
    }
    rest();
  }

  @Override
  public void cut(String outcome) {
    if (end(outcome)) {
      writer.cut();
    }
  }

  @Override
  public void checkWaiting() {
    ticket.checkAll();
  }

  @Override
  public void holdLittle() {
    dropAhead = true;
    thread.wake();
  }

  private void fail(Throwable cause) {
    Failure failure = Failure.of(cause);
    if (fail(failure) && failure.isOurs()) {
      logger.warn("query {} failed: {}", AnswerHead.requestId(ctx), ctx.request().uri(), cause);
    }
  }

  /**
   * Sends an error, or breaks a body that has begun. Returns false if the answer had ended before.
   */
  @Override
  public boolean fail(Failure failure) {
    boolean ends = end(failure.outcome());
    if (ends) {
      writer.fail(failure);
    }
    return ends;
  }

  private void sent(boolean whole) {
    end(!whole ? "cancelled" : partial ? "partial" : "ok");
  }

  /** Ends the answer. Returns false if it had ended before. */
  private boolean end(String outcome) {
    if (!ended.compareAndSet(false, true)) {
      return false;
    }
    body = null;
    ticket.end(outcome);
    account.close();
    context.runOnContext(ignored -> watch.stop(ctx.vertx()));
    thread.wake();
    return true;
  }
}
