package hourglass.store.testkit;

import hourglass.store.WideColumnStore;

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
public abstract class WideColumnStoreContract extends EngineUnderTest
    implements EventsContract, StateOfHoursContract {}
