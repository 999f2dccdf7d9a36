package hourglass.ingest.decode;

/**
 * The limits of the events that a body in another protocol becomes. Immutable.
 *
 * @param bodyBytesMax limit of a body, however it is packed
 * @param bytesMax limit of all payloads of a body together; some protocols send only once what each
 *     event contains, such as the labels of a stream
 * @param eventBytesMax limit of a payload; a larger one is rejected
 * @param levelsMax levels of objects and arrays, with the payload as the first; a deeper one is
 *     rejected
 */
public record ConversionLimits(int bodyBytesMax, int bytesMax, int eventBytesMax, int levelsMax) {}
