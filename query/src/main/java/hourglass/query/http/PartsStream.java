package hourglass.query.http;

import hourglass.query.AnswerBody;
import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import hourglass.query.Progress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer that is one JSON object, known as a value before the first byte. It holds
 * the value and one part of the body: a few KB, or one element if that is larger.
 */
final class PartsStream<T> implements AnswerBody {
  private final CompletableFuture<T> answer;
  private final Function<T, Parts> toParts;
  private final Function<T, AnswerFacts> toFacts;
  private final Written written = new Written();
  private @Nullable Parts parts;
  private boolean ended;
  private volatile boolean cancelled;

  /** Writes a body part by part. */
  @FunctionalInterface
  interface Parts {
    /** Writes the next part to the same stream in each call. Returns false after the last part. */
    boolean writeNext(ByteArrayOutputStream out) throws IOException;
  }

  /** The part that is being copied into chunks. */
  private static final class Written extends ByteArrayOutputStream {
    private int taken;

    /** Copies as much into a chunk as fits; true if nothing is left. */
    boolean into(Chunk chunk) {
      taken += chunk.fill(buf, taken, count - taken);
      if (taken < count) {
        return false;
      }
      taken = 0;
      reset();
      return true;
    }
  }

  /** Streams the answer once it is complete. */
  PartsStream(
      CompletionStage<T> answer, Function<T, Parts> toParts, Function<T, AnswerFacts> toFacts) {
    this.toParts = toParts;
    this.toFacts = toFacts;
    this.answer = answer.toCompletableFuture();
  }

  @Override
  public Progress fill(Chunk chunk) {
    if (cancelled) {
      throw new CancellationException("the answer is no longer wanted");
    }
    if (!answer.isDone()) {
      return Progress.WAITING;
    }
    if (parts == null) {
      parts = toParts.apply(answer());
    }
    try {
      while (written.into(chunk)) {
        if (ended) {
          return Progress.DONE;
        }
        ended = !parts.writeNext(written);
      }
      return Progress.FULL;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private T answer() {
    try {
      return answer.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  @Override
  public void whenReady(Runnable wake) {
    var unused = answer.whenComplete((known, failure) -> wake.run());
  }

  @Override
  public AnswerFacts facts() {
    return toFacts.apply(answer());
  }

  @Override
  public void cancel() {
    cancelled = true;
  }
}
