/** Reads bodies in the encoding of protocol buffers in place, and writes small messages. */
@NullMarked
package hourglass.ingest.protocols.protobuf;

import org.jspecify.annotations.NullMarked;
