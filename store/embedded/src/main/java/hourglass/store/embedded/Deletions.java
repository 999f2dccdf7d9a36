package hourglass.store.embedded;

import hourglass.store.embedded.maintenance.BudgetKeeper;
import hourglass.store.embedded.maintenance.HourExpiry;
import hourglass.store.embedded.maintenance.RequestedDrops;
import hourglass.store.embedded.maintenance.RetentionClock;

/**
 * The reasons for which a store deletes events, each with the part that does it on the pages
 * thread.
 *
 * @param expiry at the end of their retention
 * @param budget for a budget of the disk
 * @param requested on request
 */
record Deletions(
    HourExpiry expiry, BudgetKeeper budget, RequestedDrops requested, RetentionClock clock) {}
