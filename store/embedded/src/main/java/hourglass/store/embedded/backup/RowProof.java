package hourglass.store.embedded.backup;

import hourglass.bucketing.RowKey;

/**
 * The columns of a row in numbers, which any other copy of the row must have too.
 *
 * @param columns the number of columns, at least 1
 * @param bytes the bytes of their payloads
 * @param digest the digest of all names and payloads in order, as in a manifest
 */
record RowProof(RowKey row, long columns, long bytes, long digest) {}
