/**
 * Brings events to the store, whatever the transport. Begin with {@link
 * hourglass.ingest.IngestService}.
 */
@NullMarked
package hourglass.ingest;

import org.jspecify.annotations.NullMarked;
