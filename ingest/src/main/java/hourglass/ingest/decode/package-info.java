/** Decodes bytes into events. Begin with {@link hourglass.ingest.decode.EventDecoder}. */
@NullMarked
package hourglass.ingest.decode;

import org.jspecify.annotations.NullMarked;
