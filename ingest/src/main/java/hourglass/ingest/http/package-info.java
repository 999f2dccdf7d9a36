/**
 * Accepts pushes over HTTP, in bounded memory. A {@link hourglass.ingest.http.Push} reads a
 * request, its {@link hourglass.ingest.http.PushDecoder} makes stored events of the body, and its
 * {@link hourglass.ingest.http.PushProtocol} answers. Begin with {@link
 * hourglass.ingest.http.IngestRoutes}.
 */
@NullMarked
package hourglass.ingest.http;

import org.jspecify.annotations.NullMarked;
