package hourglass.store.testkit;

/** The chapters on what is written and read, which is the same for hours that run or are over. */
public interface EventsContract
    extends UpsertContract,
        SliceContract,
        CountContract,
        ClaimContract,
        LateArrivalContract,
        FirstTimesContract,
        ConcurrencyContract,
        LifecycleContract {}
