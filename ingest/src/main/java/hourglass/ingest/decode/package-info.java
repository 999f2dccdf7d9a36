/**
 * Bytes to events: finds the items of an input, and the type, time and column name of each. Begin
 * with {@link hourglass.ingest.decode.EventDecoder}.
 */
@NullMarked
package hourglass.ingest.decode;

import org.jspecify.annotations.NullMarked;
