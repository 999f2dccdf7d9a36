package hourglass.load;

/** Time that only passes, for measuring how long something took. */
@FunctionalInterface
interface Nanos {
  Nanos SYSTEM = System::nanoTime;

  long now();
}
