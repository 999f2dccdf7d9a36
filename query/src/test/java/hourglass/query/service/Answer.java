package hourglass.query.service;

import hourglass.access.DaemonThreads;
import hourglass.access.FairExecutor;
import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import hourglass.query.fair.AnswerBody;
import hourglass.query.fair.AnswerOutput;
import hourglass.query.fair.QueryThread;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;

/** An answer read to its end, in chunks of a given size. */
public record Answer(String body, AnswerFacts facts) {
  /** As many threads as queries need that wait for the store. */
  public static final Executor THREADS =
      Executors.newCachedThreadPool(new DaemonThreads("query-loop"));

  public static Answer read(AnswerBody body, int chunkBytes) {
    return read(body, chunkBytes, thread());
  }

  static Answer read(AnswerBody body, int chunkBytes, QueryThread thread) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Chunk chunk = new Chunk(chunkBytes);
    Consumer<Chunk> full = next -> bytes.write(next.bytes(), 0, next.length());
    AnswerFacts facts = body.write(output(chunk, full), thread);
    full.accept(chunk);
    return new Answer(bytes.toString(StandardCharsets.UTF_8), facts);
  }

  /** An output into one chunk, which is emptied when it is full. */
  public static AnswerOutput output(Chunk chunk, Consumer<Chunk> full) {
    return bytes -> {
      if (!chunk.hasRoom(bytes)) {
        full.accept(chunk);
        chunk.clear();
        chunk.hasRoom(bytes);
      }
      return chunk;
    };
  }

  /**
   * Runs work that waits for a store in a thread of its own, which shares its turns with no other.
   */
  public static <T> CompletionStage<T> start(Function<QueryThread, T> work) {
    return QueryThread.start(THREADS, FairExecutor.over(THREADS).lane(""), () -> false, work);
  }

  /** The calling thread, which shares its turns with no other. */
  public static QueryThread thread() {
    return new QueryThread(FairExecutor.over(Runnable::run).lane(""), () -> false, () -> {});
  }

  /** The calling thread, of a query that the client has given up. */
  public static QueryThread goneThread() {
    return new QueryThread(FairExecutor.over(Runnable::run).lane(""), () -> true, () -> {});
  }

  public List<String> lines() {
    return body.lines().toList();
  }
}
