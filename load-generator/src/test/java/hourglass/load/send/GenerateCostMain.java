package hourglass.load.send;

import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;

/**
 * Prints the cost of building a million default events; with an argument, writes them to that file.
 */
final class GenerateCostMain {
  private GenerateCostMain() {}

  public static void main(String[] args) throws Exception {
    for (int round = 0; round < 3; round++) {
      BatchSource source =
          new GeneratedSource(
              1_000_000,
              5_000,
              new EventShape(6, 1.0, 0),
              Instant.parse("2026-11-20T08:00:00Z"),
              Duration.ofHours(1),
              0,
              0,
              1);
      long start = System.nanoTime();
      LongAdder bytes = new LongAdder();
      OutputStream file =
          args.length == 0 ? OutputStream.nullOutputStream() : new FileOutputStream(args[0]);
      try (PrintStream out = new PrintStream(file, false, StandardCharsets.UTF_8)) {
        source.forEach(
            batch -> {
              bytes.add(batch.lines().length());
              out.writeBytes(batch.lines().getBytes());
              return !out.checkError();
            });
      }
      System.out.printf(
          "%.3f s, %.1f B an event%n", (System.nanoTime() - start) / 1e9, bytes.sum() / 1e6);
    }
  }
}
