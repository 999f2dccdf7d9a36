/** Brings events to the store. Begin with {@link hourglass.ingest.IngestService}. */
@NullMarked
package hourglass.ingest;

import org.jspecify.annotations.NullMarked;
