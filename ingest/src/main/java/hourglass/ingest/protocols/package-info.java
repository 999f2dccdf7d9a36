/**
 * The protocols of other logs, each in a package of its own. A protocol is a thin {@linkplain
 * hourglass.ingest.http.ProtocolDecoder decoder} of bodies into {@link
 * hourglass.ingest.decode.ConvertedEvents}, and answers in its own form. Begin with {@link
 * hourglass.ingest.http.PushProtocol}.
 */
@NullMarked
package hourglass.ingest.protocols;

import org.jspecify.annotations.NullMarked;
