package hourglass.store.testkit;

import hourglass.store.Limitation;
import hourglass.store.WideColumnStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Opens an engine for each test, and closes it. The test of an engine extends {@link
 * WideColumnStoreContract}, which contains the whole contract. A test of an engine in a certain
 * state may extend this class and implement a part of the contract: {@link EventsContract} or
 * {@link StateOfHoursContract}.
 */
public abstract class EngineUnderTest implements StoreFixture {
  private WideColumnStore store;

  /** Opens the store of this test in an empty place or, after a close, in the same place. */
  protected abstract WideColumnStore open();

  /**
   * Seals every row as if its hour had ended long ago. Called only for engines without {@link
   * Limitation#NEVER_SEALS}.
   *
   * @param opened the store that {@link #open} returned last
   */
  protected abstract void seal(WideColumnStore opened);

  @BeforeEach
  final void openStore() {
    store = open();
  }

  @AfterEach
  final void closeStore() {
    store.close();
  }

  @Override
  public final WideColumnStore engine() {
    return store;
  }

  @Override
  public final void reopen() {
    store.close();
    store = open();
  }

  @Override
  public final void sealNow() {
    seal(store);
  }
}
