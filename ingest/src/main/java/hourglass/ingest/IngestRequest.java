package hourglass.ingest;

import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.FieldMapping;
import org.jspecify.annotations.Nullable;

/**
 * A body of events and how to read it.
 *
 * @param idempotencyKey gives events without an id an identity: this key, the body's digest and the
 *     position; null if there is none
 */
public record IngestRequest(
    BodyFormat format, FieldMapping mapping, @Nullable String idempotencyKey, Body body) {}
