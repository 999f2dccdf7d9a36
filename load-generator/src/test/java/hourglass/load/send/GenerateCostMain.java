package hourglass.load.send;

import hourglass.load.client.Batch;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;

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
      long bytes = 0;
      try (BatchSource.Reader reader = source.open();
          OutputStream out =
              args.length == 0 ? OutputStream.nullOutputStream() : new FileOutputStream(args[0])) {
        for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
          bytes += batch.lines().length();
          out.write(batch.lines().getBytes());
        }
      }
      System.out.printf(
          "%.3f s, %.1f B an event%n", (System.nanoTime() - start) / 1e9, bytes / 1e6);
    }
  }
}
