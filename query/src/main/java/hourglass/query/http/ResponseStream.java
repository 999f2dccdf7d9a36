package hourglass.query.http;

import hourglass.query.AnswerBody;
import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import hourglass.query.QueryOptions;
import hourglass.query.fair.AnswerBytes;
import io.vertx.core.Context;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pumps an {@link AnswerBody} into a response, at the pace of the slower of store and client.
 *
 * <pre>
 *   free chunks --(executor) fill, pack--> full chunk --(event loop) write--> socket
 *        ^                                                                      |
 *        +----------------------------- written --------------------------------+
 * </pre>
 *
 * A fixed number of chunks go round, so a client that does not read costs those, and the slices
 * that the merge stands on; no thread waits for it, and no place is kept for it. An answer with a
 * limit that fits into the chunks, and any answer that fits into one, is sent whole with its facts
 * in headers; else the head goes out, and the facts follow in trailers. What fails after that ends
 * in a broken connection, never in a clean end.
 */
final class ResponseStream implements ResponseWatch.Watched, QueryLimiter.Begun {
  private static final Logger log = LoggerFactory.getLogger(ResponseStream.class);

  /** Chunks filled in one go; then others have their turn on the executor. */
  private static final int CHUNKS_A_TURN = 8;

  /** How long what was found may wait for company; an answer that is done sooner is sent whole. */
  private static final long FOUND_MILLIS = 200;

  private final RoutingContext ctx;
  private final Context context;
  private final BodyCoding accepted;
  private final Supplier<AnswerBody> source;
  private final boolean limited;
  private final QueryOptions options;
  private final Clock clock;
  private final SerialTask turns;
  private final ResponseWriter writer;
  private final ResponseWatch watch;
  private final QueryLimiter.Ticket ticket;
  private final AnswerBytes.Account account;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Queue<Chunk> free = new ConcurrentLinkedQueue<>();

  /** Written by the first turn; the event loop reads it to cancel. */
  private volatile @Nullable AnswerBody stream;

  // Touched by turns only, which never overlap:
  private @Nullable Chunk current;
  private @Nullable Packer packer;
  private List<Chunk> held = new ArrayList<>();
  private int chunksMade;
  private boolean streaming;

  /** Since when the chunk has had something in it, as seen at the ends of turns; 0: it has not. */
  private long foundSinceMillis;

  private boolean finished;

  /** Whether it waits for its client. */
  private boolean resting;

  /** Of the chunks that are held or on their way. */
  private final AtomicLong sentBytes = new AtomicLong();

  /** Whether rows are missing from the answer; written before it is sent. */
  private volatile boolean partial;

  private volatile boolean dropAhead;

  /** What the store was asked for, once all is said. */
  private volatile long rowsRead;

  private volatile long columnsRead;

  ResponseStream(
      RoutingContext ctx,
      AnswerHead head,
      Supplier<AnswerBody> source,
      boolean limited,
      QueryOptions options,
      Clock clock,
      QueryLimiter.Ticket ticket,
      AnswerBytes.Account account) {
    this.ctx = ctx;
    this.accepted = head.coding();
    this.source = source;
    this.limited = limited;
    this.options = options;
    this.clock = clock;
    this.ticket = ticket;
    this.account = account;
    watch = new ResponseWatch(ctx.vertx(), options, clock, this);
    turns = new SerialTask(ticket.executor(), this::turn, this::fail);
    context = ctx.vertx().getOrCreateContext();
    writer = new ResponseWriter(ctx, head, ended::get, this::written, this::sent);
  }

  /** Begins; call it on the event loop. */
  void start() {
    ctx.response().closeHandler(closed -> end("cancelled"));
    ctx.response().exceptionHandler(failure -> end("cancelled"));
    watch.start();
    ticket.begun(this);
    turns.wake();
  }

  /** It has its place again, after its client took something, or others had their turn. */
  @Override
  public void resume() {
    turns.wake();
  }

  /** Fills chunks until there is none to fill, the store has yet to answer, or all is said. */
  private void turn() {
    if (finished || ended.get()) {
      letGo();
      return;
    }
    AnswerBody events = stream();
    if (dropAhead) {
      dropAhead = false;
      events.dropAhead();
    }
    if (resting && !hasChunk()) {
      return; // a chunk that comes back asks for another turn
    }
    if (!ticket.works()) {
      watch.losePlace(); // its client is not to blame
      return; // the place asks for another turn
    }
    resting = false;
    for (int filled = 0; filled < CHUNKS_A_TURN && !ended.get(); filled++) {
      Chunk chunk = chunk();
      if (chunk == null) {
        return;
      }
      switch (events.fill(chunk)) {
        case FULL -> hand(chunk);
        case PAUSED -> {
          handIfDue(events, chunk);
          turns.wake();
          return;
        }
        case WAITING -> {
          handIfDue(events, chunk);
          events.whenReady(turns::wake);
          return;
        }
        case DONE, ENOUGH -> {
          if (!ended.get()) {
            finish(chunk, events.facts()); // one that was cancelled is done too, and knows nothing
          }
          return;
        }
      }
    }
    turns.wake();
  }

  private AnswerBody stream() {
    AnswerBody begun = stream;
    if (begun == null) {
      begun = source.get();
      stream = begun;
      if (ended.get()) {
        begun.cancel(); // it ended before there was anything to cancel
      }
    }
    return begun;
  }

  /** The chunk to fill; null if all are on their way: then the turn ends until one is back. */
  private @Nullable Chunk chunk() {
    if (current == null && hasRoom()) {
      current = free.poll();
    }
    if (current == null && hasRoom() && mayMakeChunk()) {
      current = new Chunk(options.chunkBytes());
      chunksMade++;
    }
    if (current == null) {
      beginStreaming();
      rest();
    } else {
      watch.run();
    }
    return current;
  }

  /** One chunk is enough to go on with; more make it faster, where there is memory for them. */
  private boolean mayMakeChunk() {
    if (chunksMade == 0) {
      account.take(options.chunkBytes());
      return true;
    }
    return chunksMade < options.chunks() && account.tryTake(options.chunkBytes());
  }

  /** Whether there is a chunk to fill. */
  private boolean hasChunk() {
    return current != null || ((!free.isEmpty() || chunksMade < options.chunks()) && hasRoom());
  }

  /** A chunk that a large event made grow counts for several. */
  private boolean hasRoom() {
    return sentBytes.get() < (long) options.chunks() * options.chunkBytes();
  }

  /** From here on it waits for its client, which takes memory, and no place. */
  private void rest() {
    resting = true;
    watch.stall();
    ticket.rest();
  }

  private void hand(Chunk chunk) {
    current = null;
    if (accepted != BodyCoding.IDENTITY) {
      packer = packer != null ? packer : new Packer(accepted);
      packer.pack(chunk);
    }
    sentBytes.addAndGet(chunk.bytes().length);
    held.add(chunk);
    if (!limited) {
      beginStreaming();
    }
    if (streaming) {
      sendHeld();
    }
  }

  /** What a filter found in a stream is sent soon after, though it fills no chunk. */
  private void handIfDue(AnswerBody events, Chunk chunk) {
    if (limited || !events.hasFound() || chunk.length() == 0) {
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
      // Its clients cannot tell the end of a body from a cut, and know no trailers.
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
    sentBytes.addAndGet(-chunk.bytes().length);
    chunk.clear();
    free.add(chunk);
    turns.wake();
  }

  private void finish(Chunk last, AnswerFacts facts) {
    finished = true;
    letGoOfSlices();
    if (accepted != BodyCoding.IDENTITY
        && packer == null
        && last.length() >= BodyCoding.BYTES_MIN) {
      packer = new Packer(accepted);
    }
    BodyCoding coding = packer == null ? BodyCoding.IDENTITY : accepted;
    if (packer != null) {
      packer.packLast(last);
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

  /** What waits for its client has been said; the slices behind it are of no more use. */
  private void letGoOfSlices() {
    AnswerBody begun = stream;
    if (begun != null) {
      rowsRead = begun.rowsRead();
      columnsRead = begun.columnsRead();
      begun.cancel();
      stream = null;
    }
    account.keep((long) chunksMade * options.chunkBytes());
  }

  private void letGo() {
    if (packer != null) {
      packer.close();
    }
  }

  @Override
  public void cutOff() {
    if (end("stalled")) {
      writer.cut();
    }
  }

  @Override
  public void crowdOut() {
    if (end("crowded_out")) {
      writer.cut();
    }
  }

  /** Where all queries have begun, only their answers look after one without its place. */
  @Override
  public void looked() {
    ticket.look();
  }

  @Override
  public void holdLittle() {
    dropAhead = true;
    turns.wake();
  }

  /** The answer cannot be had: says so, or breaks the body if it has begun. */
  @Override
  public void fail(Throwable cause) {
    Failure failure = Failure.of(cause);
    if (!end(failure.outcome())) {
      return;
    }
    if (failure.isOurs()) {
      log.warn("query failed: {}", ctx.request().uri(), cause);
    }
    writer.fail(failure);
  }

  private void sent(boolean whole) {
    end(!whole ? "cancelled" : partial ? "partial" : "ok");
  }

  /** Notes the outcome and lets go of everything; false if that was done before. */
  private boolean end(String outcome) {
    if (!ended.compareAndSet(false, true)) {
      return false;
    }
    AnswerBody begun = stream;
    if (begun == null) {
      ticket.end(outcome, rowsRead, columnsRead);
    } else {
      begun.cancel();
      ticket.end(outcome, begun.rowsRead(), begun.columnsRead());
    }
    account.close();
    context.runOnContext(ignored -> watch.stop());
    if (accepted != BodyCoding.IDENTITY) {
      turns.wake(); // to let go of the packer, when no turn uses it
    }
    return true;
  }
}
