package hourglass.store.sandbox;

import java.util.function.Consumer;

/** Where lines of progress go unless told otherwise. */
final class Progress {
  static final Consumer<String> STDERR = line -> System.err.println("sandbox: " + line);

  private Progress() {}
}
