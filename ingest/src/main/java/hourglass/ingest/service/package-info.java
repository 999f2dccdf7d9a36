/** Brings events to the store. Begin with {@link hourglass.ingest.service.IngestService}. */
@NullMarked
package hourglass.ingest.service;

import org.jspecify.annotations.NullMarked;
