package hourglass.query.http;

import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import hourglass.query.fair.AnswerBody;
import hourglass.query.fair.AnswerOutput;
import io.vertx.ext.web.handler.HttpException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fills chunks with the bytes of an answer, compresses them, and passes them to the writer. It
 * decides when the answer begins: at once after its first full chunk, or, if it is limited, when
 * the chunks run out. Used by the thread of the query, except {@link #giveBack}.
 */
final class ResponseOutput implements AnswerOutput {
  /** The longest wait of a filter's result in a chunk. An answer that ends sooner is sent whole. */
  private static final long FOUND_MILLIS = 200;

  private final ResponseWriter writer;
  private final ChunkPool chunks;
  private final boolean limited;
  private final Clock clock;

  /** Waits for the client until a chunk is free. */
  private final Consumer<BooleanSupplier> waiting;

  private @Nullable Chunk current;
  private BodyCoding.@Nullable Packer packer;
  private List<Chunk> held = new ArrayList<>();
  private boolean streaming;

  /** When results were first seen in the unsent chunk; 0 if none were. */
  private long foundSinceMillis;

  /**
   * Creates an output.
   *
   * @param limited whether a body that fits into its chunks is sent whole
   * @param waiting waits for the client until its argument holds, which it tests in the thread of
   *     the query
   */
  ResponseOutput(
      ResponseWriter writer,
      ChunkPool chunks,
      boolean limited,
      Clock clock,
      Consumer<BooleanSupplier> waiting) {
    this.writer = writer;
    this.chunks = chunks;
    this.limited = limited;
    this.clock = clock;
    this.waiting = waiting;
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

  /** Waits until there is a chunk for the next bytes. */
  void awaitChunk() {
    var unused = room(0);
  }

  /** Takes an empty chunk, once the client has read enough and the query has its place. */
  private Chunk takeChunk() {
    if (!hasChunk()) {
      beginStreaming();
      waiting.accept(this::hasChunk);
    }
    return Objects.requireNonNull(current);
  }

  /** Takes an empty chunk if one is free or may be made. */
  private boolean hasChunk() {
    if (current == null) {
      current = chunks.take();
    }
    return current != null;
  }

  private void hand(Chunk chunk) {
    current = null;
    if (coding() != BodyCoding.IDENTITY) {
      packer = packer != null ? packer : new BodyCoding.Packer(coding());
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

  /** The coding that the client prefers. A small body is not encoded. */
  private BodyCoding coding() {
    return writer.head().coding();
  }

  /** Sends results of a filter soon, even if they do not fill a chunk. */
  void handIfDue(AnswerBody events) {
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
    if (!writer.canStream()) {
      throw new HttpException(505, "an answer of this size needs HTTP/1.1; or ask for a limit");
    }
    streaming = true;
    writer.begin(coding());
    sendHeld();
  }

  private void sendHeld() {
    List<Chunk> full = held;
    held = new ArrayList<>();
    writer.write(full);
  }

  /** Sends the rest of the answer, or all of it, and its facts. */
  void finish(AnswerFacts facts) {
    Chunk last = room(0);
    chunks.releaseRest();
    if (coding() != BodyCoding.IDENTITY
        && packer == null
        && last.length() >= BodyCoding.BYTES_MIN) {
      packer = new BodyCoding.Packer(coding());
    }
    BodyCoding used = packer == null ? BodyCoding.IDENTITY : coding();
    if (packer != null) {
      packer.pack(last, true);
    }
    held.add(last);
    if (streaming) {
      writer.rest(held, facts);
    } else {
      writer.whole(held, used, facts);
    }
  }

  /** Takes a written chunk back. May be called from any thread. */
  void giveBack(Chunk chunk) {
    chunks.giveBack(chunk);
  }

  /** Frees native memory. Idempotent. */
  void close() {
    if (packer != null) {
      packer.close();
    }
  }
}
