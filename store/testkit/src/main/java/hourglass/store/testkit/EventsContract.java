package hourglass.store.testkit;

/**
 * The chapters on writing and reading columns. Their results do not depend on whether the hour is
 * over.
 */
public interface EventsContract
    extends UpsertContract,
        SliceContract,
        CountContract,
        ClaimContract,
        LateArrivalContract,
        FirstTimesContract,
        ConcurrencyContract,
        LifecycleContract {}
