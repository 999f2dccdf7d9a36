package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.access.LimitExceededException;
import hourglass.http.BodyPause;
import hourglass.http.UnreadBody;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.service.InFlightBudget;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.Verdicts;
import hourglass.ingest.stream.BatchPump;
import hourglass.ingest.stream.ClientBatch;
import hourglass.store.OverloadedException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A push whose events are stored while its body is read, however long that lasts. It reads and
 * answers on its event loop.
 *
 * <p>One batch is written at a time. The events that arrive meanwhile form the next batch: those of
 * a quiet sender are stored at once, and those of a busy one in few writes. Reading pauses while a
 * batch is full. A batch that cannot be stored now, or a piece for which memory is short, is held
 * and tried again for a while.
 */
final class StreamPush extends Push implements BatchPump.Sink<ClientBatch> {
  /**
   * The bytes of payloads that fill a batch. Its write may use the memory that is kept for small
   * requests.
   */
  private static final int BATCH_BYTES = 256 << 10;

  /**
   * The most tries, a minute with the usual pause. The watchdog of systemd-journal-upload waits for
   * three.
   */
  private static final int TRIES_MAX = 60;

  /** The bytes up to which a reader counts as one between two entries, or inside of a usual one. */
  private static final long LITTLE_BYTES = 1 << 20;

  private final Executor lane;
  private final long retryMillis;

  /** The decoder, which holds the memory of the push between two pieces; null before the begin. */
  private @Nullable StreamDecoder decoder;

  /** The bytes that were received last, until they are read. */
  private @Nullable Piece piece;

  /** The events that will be the next batch. */
  private @Nullable Gathering gathered;

  private boolean bodyEnded;
  private final BodyPause pause;
  private boolean paused;
  private final BatchPump<ClientBatch> pump;

  /** The number of failures to read a piece since the last success. */
  private int readFailures;

  /** The refusal of a body whose rest cannot be read. The events so far are stored first. */
  private @Nullable PushRefused broken;

  private Allowed allowed = Allowed.UNKNOWN;

  /** Whether the client may push the types of its events. */
  private enum Allowed {
    UNKNOWN,
    NONE,
    SOME
  }

  private static final class Piece {
    private final Buffer bytes;

    /** The memory that is reserved for the piece while it waits. */
    private int reserved;

    /** Whether the quota has given the bytes of the piece. */
    private boolean isPaid;

    private Piece(Buffer bytes) {
      this.bytes = bytes;
    }
  }

  private record Gathering(ConvertedEvents events, InFlightBudget.Reservation memory) {}

  /** Creates a push that tries again each {@code retryMillis}. */
  StreamPush(
      IngestService service,
      FairExecutor workers,
      PushProtocol protocol,
      RoutingContext ctx,
      Client client,
      long retryMillis) {
    super(service, protocol, ctx, client);
    this.lane = workers.lane(client.share());
    this.retryMillis = retryMillis;
    this.pause = new BodyPause(ctx);
    this.pump =
        new BatchPump<>(this, this::later, new BatchPump.Pauses(retryMillis, retryMillis), 1);
  }

  private void later(long millis, Runnable task) {
    ctx.vertx().setTimer(millis, id -> task.run());
  }

  /** Reads and answers the request. A decoder is opened if its head allows it. */
  void run(StreamDecoder.Opening opening) {
    try {
      begin();
      checkHead();
      if (!memory.mayBegin(1)) {
        throw PushRefused.tooMany();
      }
      client.quota().takeBytes(1);
      decoder = opening.open(memory, service.options().maxEventBytes());
    } catch (PushRefused | LimitExceededException e) {
      fail(e);
      return;
    }
    // The rest of an event may arrive late, and others need the memory.
    memory.allowRevoke(
        LITTLE_BYTES, () -> context.runOnContext(ignored -> fail(PushRefused.crowdedOut())));
    request.exceptionHandler(lost -> end());
    request.endHandler(
        ended -> {
          bodyEnded = true;
          proceed();
        });
    request.handler(this::take);
    askForBody();
  }

  private void checkHead() {
    IdentityRule identity = rules().items().identity();
    if (identity != IdentityRule.NONE) {
      String name = identity.name().toLowerCase(Locale.ROOT);
      throw new PushRefused(400, "identity: \"" + name + "\", want none here");
    }
    String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    if (ContentEncoding.of(encoding) != ContentEncoding.IDENTITY) {
      throw new PushRefused(415, "Content-Encoding: \"" + encoding + "\", want none here");
    }
  }

  private void take(Buffer bytes) {
    if (state == State.OVER) {
      return;
    }
    Piece received = new Piece(bytes);
    piece = received;
    proceed();
    if (piece == received && state != State.OVER) {
      reserve(received);
    }
  }

  /** Reserves a piece that waits, since it may wait for long, as many others may. */
  private void reserve(Piece waiting) {
    if (memory.add(waiting.bytes.length())) {
      waiting.reserved = waiting.bytes.length();
    } else {
      fail(memory.tooMuch());
    }
  }

  private void drop(Piece read) {
    piece = null;
    memory.subtract(read.reserved);
  }

  /** Does all that can be done now: reads a piece, writes a batch, asks for more, or answers. */
  private void proceed() {
    try {
      if (state == State.READING && !isFull()) {
        read();
      }
    } catch (RuntimeException e) {
      fail(e);
    }
    Gathering batch = gathered;
    if (batch != null && pump.hasRoom(false)) {
      gathered = null;
      pump.add(
          new ClientBatch(
              service.receive(batch.events, rules().items()), client, batch.memory::release));
    }
    if (state == State.OVER) {
      return;
    }
    pause(piece != null || isFull() || broken != null);
    if (state == State.STORING && gathered == null && pump.isEmpty()) {
      finish();
    }
  }

  /** Reads the piece, and the end of the body after it. */
  private void read() {
    Piece next = piece;
    StreamDecoder reading = Objects.requireNonNull(decoder);
    if (next == null && !bodyEnded) {
      return;
    }
    try {
      if (next != null) {
        admit(next);
        reading.read(next.bytes, gathering());
        drop(next);
      }
      if (bodyEnded) {
        reading.end(gathering());
        state = State.STORING;
      }
      readFailures = 0;
    } catch (OverloadedException | LimitExceededException e) {
      readFailures += e instanceof OverloadedException ? 1 : 0; // a limit slows down, and is no end
      if (goesOn(e, readFailures)) {
        state = State.WAITING;
        later(retryMillis, this::readOn);
      }
    } catch (PushRefused e) {
      broken = e;
      state = State.STORING;
      if (next != null && piece == next) {
        drop(next);
      }
    }
    if (gathered != null) {
      gathered.events.discard();
      if (gathered.events.size() == 0) {
        forget();
      }
    }
  }

  private void readOn() {
    if (state == State.WAITING) {
      state = State.READING;
      proceed();
    }
  }

  private void admit(Piece next) {
    if (!memory.mayBegin(next.bytes.length() - next.reserved)) {
      throw memory.tooMuch();
    }
    if (!next.isPaid) {
      client.quota().takeBytes(next.bytes.length());
      next.isPaid = true;
    }
  }

  private boolean isFull() {
    return gathered != null && gathered.events.bytes() >= BATCH_BYTES;
  }

  private ConvertedEvents gathering() {
    if (gathered == null) {
      InFlightBudget.Reservation own = service.inFlight().reservation(client.share());
      gathered =
          new Gathering(
              new ConvertedEvents(own, 0, ProtocolDecoder.limits(service.options())), own);
    }
    return gathered.events;
  }

  private void forget() {
    if (gathered != null) {
      gathered.memory.release();
    }
    gathered = null;
  }

  private void pause(boolean now) {
    if (now != paused && !bodyEnded) {
      paused = now;
      if (now) {
        pause.begin();
      } else {
        pause.end();
      }
    }
  }

  @Override
  public int size(ClientBatch batch) {
    return batch.size();
  }

  @Override
  public List<ClientBatch> halves(ClientBatch batch) {
    return batch.halves();
  }

  @Override
  public CompletionStage<?> write(ClientBatch batch) {
    if (!client.isCurrent().getAsBoolean()) {
      throw new PushRefused(401, "this key has expired or was revoked");
    }
    return CompletableFuture.completedFuture(batch.events())
        .thenComposeAsync(events -> service.ingest(events, client), lane)
        .whenCompleteAsync(this::count, step -> context.runOnContext(ignored -> step.run()));
  }

  private void count(@Nullable Verdicts verdicts, @Nullable Throwable failure) {
    if (verdicts != null && verdicts.accepted() + verdicts.rejected() > 0) {
      boolean areAll = verdicts.isForbidden() && allowed != Allowed.SOME;
      allowed = areAll ? Allowed.NONE : Allowed.SOME;
    }
  }

  /**
   * Fails. The stream has ended with such a failure before, and the client then sends all of it
   * again.
   */
  @Override
  public CompletionStage<?> reject(ClientBatch batch, Throwable failure) {
    return CompletableFuture.failedFuture(failure);
  }

  @Override
  public void done(ClientBatch batch) {
    batch.onEnd().run();
    proceed();
  }

  @Override
  public void dropped(ClientBatch batch) {
    batch.onEnd().run();
  }

  @Override
  public boolean goesOn(ClientBatch batch, Throwable failure, int failures) {
    return goesOn(failure, failures);
  }

  /** Returns whether a step is repeated; else the stream has failed. */
  private boolean goesOn(Throwable failure, int failures) {
    PushRefused refused = PushRefused.of(failure);
    boolean goesOn = refused != null && refused.isTransient() && failures <= TRIES_MAX;
    if (!goesOn) {
      fail(failure);
    }
    return goesOn;
  }

  private void finish() {
    if (broken != null) {
      fail(broken);
    } else if (allowed == Allowed.NONE) {
      fail(new PushRefused(403, Reason.TYPE_NOT_ALLOWED.text()));
    } else {
      end();
      if (!ctx.response().closed()) {
        protocol.answerStream(ctx);
      }
    }
  }

  /** Stops reading. A batch that is being written keeps its memory until its write has ended. */
  @Override
  void end() {
    state = State.OVER;
    piece = null;
    forget();
    pump.close();
    release();
  }

  @Override
  void refuse(PushRefused refused) {
    Reason reason = refused.reason();
    if (reason != null) {
      service.refuse(reason, refused.detail());
    }
    if (!request.isEnded()) {
      UnreadBody.discard(ctx, -1);
      pause.end();
    }
    protocol.refuse(ctx, refused);
  }
}
