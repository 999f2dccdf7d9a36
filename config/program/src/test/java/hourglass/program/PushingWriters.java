package hourglass.program;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.program.PushedBatches.Batch;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Several connections that push small and large batches, most with an idempotency key, until the
 * server goes away.
 */
public final class PushingWriters implements AutoCloseable {
  private static final int WRITERS = 4;
  private static final int SMALL_MAX = 40;
  private static final int LARGE_MAX = 4000;

  private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
  private final List<Future<?>> writers = new ArrayList<>();
  private final PushedBatches batches;

  private PushingWriters(PushedBatches batches) {
    this.batches = batches;
  }

  public static PushingWriters start(ServerProcess server, PushedBatches batches, Random random) {
    PushingWriters all = new PushingWriters(batches);
    for (int i = 0; i < WRITERS; i++) {
      SplittableRandom own = new SplittableRandom(random.nextLong());
      all.writers.add(all.threads.submit(() -> all.write(server, own)));
    }
    return all;
  }

  /** Whether one has ended, which none may before the server does. */
  public boolean anyEnded() {
    return writers.stream().anyMatch(Future::isDone);
  }

  /** Waits for all of them; fails as they did, but for a connection that broke. */
  public void join() throws Exception {
    for (Future<?> writer : writers) {
      try {
        writer.get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof IOException)) {
          throw e;
        }
      }
    }
  }

  private @Nullable Void write(ServerProcess server, SplittableRandom own)
      throws IOException, InterruptedException {
    HttpClient client = PushedBatches.newClient();
    for (; ; ) {
      int size = 1 + own.nextInt(own.nextInt(3) > 0 ? SMALL_MAX : LARGE_MAX);
      Batch batch = batches.take(size, own.nextInt(4) > 0);
      HttpResponse<String> answer = batches.push(client, server, batch);
      assertThat(answer.statusCode()).as(answer.body()).isIn(200, 429, 503);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
