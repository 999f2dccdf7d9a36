/**
 * Events to rows: groups columns by hour and type, and finds rows with capacity for them. Begin
 * with {@link hourglass.ingest.rows.RowPlacement}.
 */
@NullMarked
package hourglass.ingest.rows;

import org.jspecify.annotations.NullMarked;
