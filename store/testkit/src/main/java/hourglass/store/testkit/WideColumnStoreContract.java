package hourglass.store.testkit;

import hourglass.store.Limitation;
import hourglass.store.WideColumnStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What it takes to be a {@link WideColumnStore}. An engine extends this class, says how to open
 * itself, and passes every test; what it cannot do it lists in its {@link
 * WideColumnStore#limitations}, and the tests then expect just that. Nothing is skipped.
 *
 * <p>To know what a store is, read the chapters in this order:
 *
 * <ol>
 *   <li>{@link UpsertContract}: what is written is read, once, whatever was written before
 *   <li>{@link SliceContract}: order, ranges, pages
 *   <li>{@link CountContract}: exact counts in steps
 *   <li>{@link DirectoryContract}: the rows of an hour, the hours there are, dropping them
 *   <li>{@link ClaimContract}: what writers tell each other before they write
 *   <li>{@link SealContract}: marks and manifests, or when a cached row still counts
 *   <li>{@link LateArrivalContract}: notes of what came late
 *   <li>{@link ConcurrencyContract}: many writers and readers at once
 *   <li>{@link LifecycleContract}: closing and opening again
 *   <li>{@link ModelContract}: random operations, compared with the {@link OracleStore}
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
        ConcurrencyContract,
        LifecycleContract,
        ModelContract {

  private WideColumnStore store;

  /**
   * Opens the store of this test, in a place that was empty when the test began. Called again,
   * after a close, for the same place.
   */
  protected abstract WideColumnStore open();

  /**
   * Makes the engine seal now every row that it would seal if the hour of the row had been over for
   * long, and returns when that is done. Called only for engines without {@link
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
