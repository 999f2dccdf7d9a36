package hourglass.store.testkit;

import hourglass.store.Limitation;
import hourglass.store.WideColumnStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of a {@link WideColumnStore}. An engine's test extends this class, opens the engine,
 * and passes every test. The engine lists exceptions in its {@link WideColumnStore#limitations},
 * and the tests then expect exactly those. No test is skipped.
 *
 * <p>To learn the contract, read its chapters in this order:
 *
 * <ol>
 *   <li>{@link UpsertContract}: written columns are read once, regardless of earlier writes
 *   <li>{@link SliceContract}: order, ranges, pages
 *   <li>{@link CountContract}: exact counts in steps
 *   <li>{@link DirectoryContract}: the rows of an hour, the existing hours, dropping them
 *   <li>{@link ClaimContract}: the claims that writers publish before they write
 *   <li>{@link SealContract}: marks and manifests, and the validity of cached rows
 *   <li>{@link LateArrivalContract}: records of late columns
 *   <li>{@link FirstTimesContract}: the times of events that have none of their own
 *   <li>{@link ConcurrencyContract}: many concurrent writers and readers
 *   <li>{@link LifecycleContract}: closing and reopening
 *   <li>{@link RandomOperations}: any operations in any order, compared with the {@link
 *       OracleStore}
 * </ol>
 */
public abstract class WideColumnStoreContract
    implements UpsertContract,
        SliceContract,
        CountContract,
        DirectoryContract,
        ClaimContract,
        SealContract,
        LateArrivalContract,
        FirstTimesContract,
        ConcurrencyContract,
        LifecycleContract {

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

  /**
   * {@code -Dhourglass.seed=N} repeats a run, {@code -Dhourglass.tier=longest} makes a long one.
   */
  @Test
  final void randomOperationsAgreeWithTheOracle() {
    RandomOperations.run(this);
  }

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
