/**
 * Turns bodies of JSON into columns: decode, validate, identify, bucket, hand over to the store.
 * Knows no transport; {@link hourglass.ingest.IngestService} is the way in.
 */
@NullMarked
package hourglass.ingest;

import org.jspecify.annotations.NullMarked;
