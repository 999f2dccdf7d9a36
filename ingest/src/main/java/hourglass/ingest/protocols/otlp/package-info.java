/**
 * Serves OTLP, the protocol of OpenTelemetry. Begin with {@link
 * hourglass.ingest.protocols.otlp.Otlp}; {@link hourglass.ingest.protocols.otlp.Records} makes the
 * events.
 */
@NullMarked
package hourglass.ingest.protocols.otlp;

import org.jspecify.annotations.NullMarked;
