package hourglass.query.http;

import com.fasterxml.jackson.core.JsonGenerator;
import hourglass.bytes.Json;
import hourglass.query.AnswerFacts;
import hourglass.query.fair.AnswerBody;
import hourglass.query.fair.AnswerOutput;
import hourglass.query.fair.QueryThread;
import hourglass.query.http.JsonParts.Part;
import hourglass.query.service.QueryService;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * An answer that is one JSON object. In memory, it keeps its value and one part: a few KB, or one
 * element.
 */
public final class PartsStream<T> implements AnswerBody {
  /** About the bytes of a part, for the clock of the thread. */
  private static final int PART_BYTES = 4 << 10;

  private final QueryService on;
  private final BiFunction<QueryService, QueryThread, T> ask;
  private final Function<T, Iterator<Part>> toParts;
  private final Function<T, AnswerFacts> toFacts;

  /** Passes written bytes on to the answer. */
  private static final class Written extends OutputStream {
    private final AnswerOutput out;

    private Written(AnswerOutput out) {
      this.out = out;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
      for (int written = 0; written < count; ) {
        written += out.room(1).fill(bytes, from + written, count - written);
      }
    }
  }

  /**
   * The {@code ask} returns the value, and may read the store. It is asked again if events were
   * erased meanwhile, since the value may contain them.
   */
  public PartsStream(
      QueryService on,
      BiFunction<QueryService, QueryThread, T> ask,
      Function<T, Iterator<Part>> toParts,
      Function<T, AnswerFacts> toFacts) {
    this.on = on;
    this.ask = ask;
    this.toParts = toParts;
    this.toFacts = toFacts;
  }

  @Override
  public AnswerFacts write(AnswerOutput out, QueryThread thread) {
    T known = on.unerased(thread, () -> ask.apply(on, thread));
    Iterator<Part> parts = toParts.apply(known);
    try {
      JsonGenerator json = Json.generator(new Written(out));
      while (parts.hasNext()) {
        thread.worked(PART_BYTES);
        parts.next().write(json);
        json.flush();
      }
      json.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return toFacts.apply(known);
  }
}
