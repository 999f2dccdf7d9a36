package hourglass.query.service;

import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import hourglass.query.Progress;
import hourglass.testing.Patience;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An answer read to its end, in chunks of a given size. */
public record Answer(String body, AnswerFacts facts) {

  public static Answer read(EventStream stream, int chunkBytes) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    Chunk chunk = new Chunk(chunkBytes);
    while (true) {
      Progress progress = stream.fill(chunk);
      if (progress == Progress.WAITING) {
        await(stream);
        continue;
      }
      body.write(chunk.bytes(), 0, chunk.length());
      chunk.clear();
      if (progress == Progress.DONE) {
        return new Answer(body.toString(StandardCharsets.UTF_8), stream.facts());
      }
    }
  }

  private static void await(EventStream stream) {
    CountDownLatch ready = new CountDownLatch(1);
    stream.whenReady(ready::countDown);
    try {
      if (!ready.await(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the store never answered");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public List<String> lines() {
    return body.lines().toList();
  }
}
