/**
 * Accepts pushes over HTTP, in bounded memory. Begin with {@link
 * hourglass.ingest.http.IngestRoutes}.
 */
@NullMarked
package hourglass.ingest.http;

import org.jspecify.annotations.NullMarked;
