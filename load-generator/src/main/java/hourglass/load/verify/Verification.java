package hourglass.load.verify;

/**
 * The result of a verification.
 *
 * @param expected events that must be there
 * @param unsureFound events whose fate was unknown, and that are there
 * @param read events read back
 * @param foreign of these, events that this run did not send
 * @param paged events compared with pages
 * @param timed whether times were compared
 */
public record Verification(
    long expected,
    long unsureFound,
    long read,
    long foreign,
    int types,
    long paged,
    boolean timed,
    double seconds,
    Faults faults) {
  public boolean passed() {
    return faults.none();
  }
}
