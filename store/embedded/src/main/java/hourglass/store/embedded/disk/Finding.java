package hourglass.store.embedded.disk;

/**
 * A damaged or missing part of a data directory or a backup, as a check reports it in one line.
 *
 * @param damage names the file, the place, the fault and the remedy
 * @param lost the events that cannot be read any more, with their row and times
 */
public record Finding(String damage, String lost) {
  /** The loss if the damaged bytes are not needed to read any event. */
  public static final String NOTHING = "nothing";

  /** Returns the line. */
  public String text() {
    return damage + "; lost: " + lost;
  }
}
