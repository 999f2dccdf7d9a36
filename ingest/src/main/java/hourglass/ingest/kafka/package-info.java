/**
 * Apache Kafka topics as a source of events: a poll loop around {@link
 * hourglass.ingest.IngestService}. Begin with {@link hourglass.ingest.kafka.KafkaSource}.
 */
@NullMarked
package hourglass.ingest.kafka;

import org.jspecify.annotations.NullMarked;
