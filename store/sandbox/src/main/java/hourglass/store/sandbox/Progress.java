package hourglass.store.sandbox;

import java.util.function.Consumer;

/** The default receiver of lines of progress. */
final class Progress {
  static final Consumer<String> STDERR = line -> System.err.println("sandbox: " + line);

  private Progress() {}
}
