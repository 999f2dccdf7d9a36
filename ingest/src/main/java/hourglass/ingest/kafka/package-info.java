/** Reads events from Kafka topics. Begin with {@link hourglass.ingest.kafka.KafkaSource}. */
@NullMarked
package hourglass.ingest.kafka;

import org.jspecify.annotations.NullMarked;
