package hourglass.ingest.kafka;

/**
 * How far a partition is.
 *
 * @param committed the offset that the group would go on from; -1: not known yet
 * @param lag records that are not stored yet; -1: not known yet
 * @param held records fetched and not stored
 * @param paused whether nothing is fetched until more of it is stored
 */
public record PartitionStatus(
    String topic, int partition, long committed, long lag, int held, boolean paused) {}
