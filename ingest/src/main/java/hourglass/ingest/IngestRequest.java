package hourglass.ingest;

import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.FieldMapping;
import org.jspecify.annotations.Nullable;

/**
 * A body of events and its format.
 *
 * @param idempotencyKey identifies events without an id, together with the body's digest and their
 *     position; null if there is none
 */
public record IngestRequest(
    BodyFormat format, FieldMapping mapping, @Nullable String idempotencyKey, Body body) {}
