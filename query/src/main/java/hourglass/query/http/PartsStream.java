package hourglass.query.http;

import com.fasterxml.jackson.core.JsonGenerator;
import hourglass.bytes.Json;
import hourglass.query.AnswerBody;
import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import hourglass.query.Progress;
import hourglass.query.http.JsonParts.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is one JSON object. In memory, it keeps its value and one part: a few KB, or one
 * element.
 */
public final class PartsStream<T> implements AnswerBody {
  private final CompletableFuture<T> answer;
  private final Function<T, Iterator<Part>> toParts;
  private final Function<T, AnswerFacts> toFacts;
  private final Written written = new Written();
  private final JsonGenerator json;
  private @Nullable Iterator<Part> parts;
  private volatile boolean cancelled;

  private static final class Written extends ByteArrayOutputStream {
    private int taken;

    /** Moves bytes into a chunk. Returns true if none is left. */
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

  public PartsStream(
      CompletionStage<T> answer,
      Function<T, Iterator<Part>> toParts,
      Function<T, AnswerFacts> toFacts) {
    this.toParts = toParts;
    this.toFacts = toFacts;
    this.answer = answer.toCompletableFuture();
    try {
      json = Json.generator(written);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
      parts = toParts.apply(answer.join());
    }
    try {
      while (written.into(chunk)) {
        if (!parts.hasNext()) {
          json.close();
          return Progress.DONE;
        }
        parts.next().write(json);
        json.flush();
      }
      return Progress.FULL;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void whenReady(Runnable wake) {
    var unused = answer.whenComplete((known, failure) -> wake.run());
  }

  @Override
  public AnswerFacts facts() {
    return toFacts.apply(answer.join());
  }

  @Override
  public void cancel() {
    cancelled = true;
  }
}
