package hourglass.store.embedded.erasure;

import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.util.function.Consumer;

/** Reads every file of erasures. Not thread-safe. */
public final class ErasureCheck {
  private static final String LOST =
      "no event, but which events are erased: they may be in answers, or be stored again";

  private final StoreFiles files;
  private final Consumer<Finding> sink;

  public ErasureCheck(StoreFiles files, Consumer<Finding> sink) {
    this.files = files;
    this.sink = sink;
  }

  public void run() throws IOException {
    for (long number : StoreFiles.numbers(files.erasures(), StoreFiles.ERASURE_SUFFIX)) {
      try {
        ErasureFile.read(files.erasure(number), number);
      } catch (CorruptException e) {
        sink.accept(new Finding(String.valueOf(e.getMessage()), LOST));
      }
    }
  }
}
