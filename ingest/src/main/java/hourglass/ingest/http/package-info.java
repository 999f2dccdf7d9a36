/**
 * Push over HTTP: reads bodies within a memory budget, unpacks them, answers. Begin with {@link
 * hourglass.ingest.http.IngestRoutes}.
 */
@NullMarked
package hourglass.ingest.http;

import org.jspecify.annotations.NullMarked;
