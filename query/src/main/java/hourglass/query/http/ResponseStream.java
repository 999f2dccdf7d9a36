package hourglass.query.http;

import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import hourglass.query.QueryOptions;
import hourglass.query.fair.AnswerBody;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.QueryThread;
import hourglass.query.http.ResponseWatch.State;
import io.vertx.core.Context;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
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
final class ResponseStream implements ResponseWatch.Answer {
  private static final Logger logger = LoggerFactory.getLogger(ResponseStream.class);

  private final RoutingContext ctx;
  private final Context context;
  private final Supplier<AnswerBody> source;
  private final QueryThread thread;
  private final ResponseWriter writer;
  private final ResponseOutput output;
  private final ResponseWatch watch;
  private final QueryLimiter.Ticket ticket;
  private final AnswerBytes.Account account;
  private final AtomicBoolean ended = new AtomicBoolean();

  /**
   * The body of the answer, from its begin until its last byte is in a chunk, or the answer has
   * ended; null otherwise.
   */
  private volatile @Nullable AnswerBody body;

  /** Whether the body should drop data that it has read ahead, while it waits. */
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
      AnswerBytes.Account account) {
    this.ctx = ctx;
    this.source = source;
    this.ticket = ticket;
    this.account = account;
    thread = new QueryThread(ticket.lane(), ended::get, this::idle);
    watch = new ResponseWatch(clock, options, limit, ticket.reads());
    context = ctx.vertx().getOrCreateContext();
    writer =
        new ResponseWriter(
            ctx, context, head, ticket.client().quota(), ended::get, this::written, this::end);
    output =
        new ResponseOutput(
            writer, new ChunkPool(options, account), limited, clock, this::awaitClient);
  }

  /** Starts the answer. Call it on the event loop. */
  void start() {
    ctx.response().closeHandler(closed -> closed());
    ctx.response().exceptionHandler(failure -> end("cancelled"));
    watch.start(ctx.vertx(), ticket.client(), AnswerHead.requestId(ctx), this);
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
      AnswerFacts facts = begun.write(output, thread);
      if (!ended.get()) {
        finish(facts);
      }
    } finally {
      output.close();
    }
  }

  /** Sends soon what is due or was found. Called between two events. */
  private void idle() {
    AnswerBody events = body;
    if (events != null) {
      events.writeDue(output);
      output.handIfDue(events);
    }
  }

  /** Waits until a chunk is free and the query has its place. */
  private void awaitClient(BooleanSupplier hasChunk) {
    rest();
    thread.await(
        () -> {
          dropAheadIfAsked();
          return hasChunk.getAsBoolean();
        });
    if (!ticket.works()) {
      watch.become(State.WITHOUT_PLACE); // the wait for a place is not the client's stall
      thread.await(ticket::works);
    }
    watch.become(State.RUNNING);
  }

  private void dropAheadIfAsked() {
    AnswerBody events = body;
    if (dropAhead && events != null) {
      dropAhead = false;
      events.dropAhead();
    }
  }

  /** Waits for the client. The wait uses memory, but no place. */
  private void rest() {
    watch.become(State.STALLED);
    ticket.rest();
  }

  private void written(Chunk chunk) {
    output.giveBack(chunk);
    thread.wake();
  }

  private void finish(AnswerFacts facts) {
    output.awaitChunk(); // meanwhile the body may still drop data that it has read ahead
    body = null; // the remaining chunks hold the rest
    output.finish(facts);
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
      logger.warn(
          "query {} failed: {}", AnswerHead.requestId(ctx), RunningQueries.question(ctx), cause);
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
