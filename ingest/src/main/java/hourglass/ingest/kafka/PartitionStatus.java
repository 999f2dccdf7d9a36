package hourglass.ingest.kafka;

/**
 * The progress of a partition.
 *
 * @param committed the last committed offset; -1: unknown
 * @param lag records that are not stored; -1: unknown
 * @param held fetched records that are not stored
 * @param paused whether fetching waits for the store
 */
public record PartitionStatus(
    String topic, int partition, long committed, long lag, int held, boolean paused) {}
