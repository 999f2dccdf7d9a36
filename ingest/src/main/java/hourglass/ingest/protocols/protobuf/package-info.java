/** Bodies in the encoding of protocol buffers, read in place. */
@NullMarked
package hourglass.ingest.protocols.protobuf;

import org.jspecify.annotations.NullMarked;
