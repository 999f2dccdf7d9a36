/**
 * Targets of a run, a server over HTTP or a Kafka topic, and their answers. Begin with {@link
 * hourglass.load.client.Destination}.
 */
@NullMarked
package hourglass.load.client;

import org.jspecify.annotations.NullMarked;
