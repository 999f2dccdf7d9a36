package hourglass.load.command;

/** Time that only passes, for measuring how long something took. */
@FunctionalInterface
public interface Nanos {
  Nanos SYSTEM = System::nanoTime;

  long now();
}
