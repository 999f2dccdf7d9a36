package hourglass.query.advice;

import hourglass.bucketing.Hour;
import org.jspecify.annotations.Nullable;

/**
 * A report about the rows of a type hour.
 *
 * @param columns of all rows; an upper bound while any row is unsealed
 * @param bytes of the payloads; an upper bound while any row is unsealed
 * @param nodeSkew skew of the columns over the nodes, with each copy counted; null for a single row
 *     or fewer than two nodes
 * @param writers number of writers that claimed rows or parts of them; null if unknown
 * @param writersUnknown reason why the writers are unknown; null if they are known
 * @param proposal null if all is well
 */
public record TypeReport(
    Hour hour,
    String type,
    int rows,
    long columns,
    long bytes,
    Skew rowSkew,
    @Nullable Skew nodeSkew,
    @Nullable Integer writers,
    @Nullable String writersUnknown,
    @Nullable Proposal proposal) {}
