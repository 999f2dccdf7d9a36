package hourglass.store.embedded.late;

import hourglass.store.CorruptException;
import hourglass.store.LateArrivalPlace;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Reads every file of late arrivals, also those after a damaged one. Not thread-safe. */
public final class LateArrivalCheck {
  /** The loss if a file of late arrivals is damaged. */
  public static final String LOST = "no event, but which events of the file arrived late";

  private final StoreFiles files;
  private final Consumer<Finding> sink;

  public LateArrivalCheck(StoreFiles files, Consumer<Finding> sink) {
    this.files = files;
    this.sink = sink;
  }

  public void run() throws IOException {
    List<Long> numbers = StoreFiles.numbers(files.lateArrivals(), StoreFiles.LATE_ARRIVALS_SUFFIX);
    for (long number : numbers) {
      try {
        read(number, numbers.contains(number + 1));
      } catch (CorruptException e) {
        sink.accept(new Finding(String.valueOf(e.getMessage()), LOST));
      }
    }
  }

  private void read(long number, boolean hasNext) throws IOException {
    Path path = files.lateArrivals(number);
    long bytes = hasNext ? previousEnd(number + 1) : -1;
    LateArrivalFile file = LateArrivalFile.load(path, number, bytes, LateArrivalPlace.START);
    if (file != null) {
      file.read(path, LateArrivalPlace.START, record -> true);
    }
  }

  private long previousEnd(long number) throws IOException {
    try {
      FramePreamble next =
          FrameReader.preamble(files.lateArrivals(number), FramePreamble.LATE_ARRIVALS);
      return next == null ? -1 : next.previousEnd();
    } catch (CorruptException e) {
      return -1; // found again when that file is read
    }
  }
}
