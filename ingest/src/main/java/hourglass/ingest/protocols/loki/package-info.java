/**
 * Accepts pushes of Loki's clients, in JSON and protocol buffers. Begin with {@link
 * hourglass.ingest.protocols.loki.LokiPush}.
 */
@NullMarked
package hourglass.ingest.protocols.loki;

import org.jspecify.annotations.NullMarked;
