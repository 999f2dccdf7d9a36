/** From events to rows with capacity. Begin with {@link hourglass.ingest.rows.RowPlacement}. */
@NullMarked
package hourglass.ingest.rows;

import org.jspecify.annotations.NullMarked;
