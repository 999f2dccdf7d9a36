/**
 * Topics of Apache Kafka as a source: a poll loop around {@link hourglass.ingest.IngestService}.
 * {@link hourglass.ingest.kafka.KafkaSource} is the way in.
 */
@NullMarked
package hourglass.ingest.kafka;

import org.jspecify.annotations.NullMarked;
