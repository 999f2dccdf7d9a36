package hourglass.store.testkit;

import org.junit.jupiter.api.Test;

/**
 * The chapters on rows that are listed, sealed and dropped. An engine may take other ways to the
 * same answers when an hour is over.
 */
public interface StateOfHoursContract extends DirectoryContract, SealContract {
  /**
   * {@code -Dhourglass.seed=N} repeats a run, {@code -Dhourglass.tier=longest} makes a long one.
   */
  @Test
  default void randomOperationsAgreeWithTheOracle() {
    RandomOperations.run(this);
  }
}
