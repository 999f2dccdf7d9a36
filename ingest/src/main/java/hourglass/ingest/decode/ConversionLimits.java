package hourglass.ingest.decode;

/**
 * What a body in another protocol may become. Immutable.
 *
 * @param bodyBytesMax of a body, however it is packed
 * @param bytesMax of the payloads of a body together; some protocols say once what is in every
 *     event, such as the labels of a stream
 * @param eventBytesMax of a payload; a larger one is rejected
 * @param levelsMax of objects and arrays, the payload included; a deeper one is rejected
 */
public record ConversionLimits(int bodyBytesMax, int bytesMax, int eventBytesMax, int levelsMax) {}
