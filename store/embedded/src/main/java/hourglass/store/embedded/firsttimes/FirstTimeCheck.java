package hourglass.store.embedded.firsttimes;

import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.util.function.Consumer;

/** Reads every file of first times. Not thread-safe. */
public final class FirstTimeCheck {
  private static final String LOST =
      "no event, but a repeat of an event without a time may be stored twice";

  private final StoreFiles files;
  private final Consumer<Finding> sink;

  public FirstTimeCheck(StoreFiles files, Consumer<Finding> sink) {
    this.files = files;
    this.sink = sink;
  }

  public void run() throws IOException {
    for (long number : StoreFiles.numbers(files.firstTimes(), StoreFiles.FIRST_TIMES_SUFFIX)) {
      try {
        new FirstTimeFile(files.firstTimes(number), number).load((millis, times) -> {});
      } catch (CorruptException e) {
        sink.accept(new Finding(String.valueOf(e.getMessage()), LOST));
      }
    }
  }
}
