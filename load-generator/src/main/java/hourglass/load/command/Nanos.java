package hourglass.load.command;

/** A monotonic clock. */
@FunctionalInterface
public interface Nanos {
  Nanos SYSTEM = System::nanoTime;

  long now();
}
