/**
 * Writes the events of sources without an end. Begin with {@link
 * hourglass.ingest.stream.BatchPump}.
 */
@NullMarked
package hourglass.ingest.stream;

import org.jspecify.annotations.NullMarked;
