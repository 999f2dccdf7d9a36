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

/** An answer that is one JSON object. It holds the value and one part: a few KB, or one element. */
final class PartsStream<T> implements AnswerBody {
  private final CompletableFuture<T> answer;
  private final Function<T, Parts> toParts;
  private final Function<T, AnswerFacts> toFacts;
  private final Written written = new Written();
  private @Nullable Parts parts;
  private boolean ended;
  private volatile boolean cancelled;

  @FunctionalInterface
  interface Parts {
    /** Writes to the same stream in each call. Returns false after the last part. */
    boolean writeNext(ByteArrayOutputStream out) throws IOException;
  }

  private static final class Written extends ByteArrayOutputStream {
    private int taken;

    /** True if nothing is left. */
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
