package hourglass.query.advice;

import hourglass.bucketing.Hour;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an hour that hold one type.
 *
 * @param rows how many
 * @param columns of all of them; an upper bound as long as one is not sealed
 * @param bytes of the payloads, alike
 * @param rowSkew how unevenly the columns lie over the rows
 * @param nodeSkew how unevenly they lie over the nodes, each copy counted; null of a single row, or
 *     where there is one place only
 * @param writers how many claimed rows or parts of them; null if it is not known
 * @param writersUnknown why it is not known; null if it is
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
