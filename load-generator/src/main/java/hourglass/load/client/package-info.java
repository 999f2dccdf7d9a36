/**
 * The targets, which are HTTP servers or a Kafka topic, and their answers. Begin with {@link
 * hourglass.load.client.Destination}.
 */
@NullMarked
package hourglass.load.client;

import org.jspecify.annotations.NullMarked;
