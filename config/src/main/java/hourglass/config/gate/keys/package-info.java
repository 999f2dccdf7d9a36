/** The keys of clients: their file, and the keys in force. Begin with {@link KeyRing}. */
@NullMarked
package hourglass.config.gate.keys;

import org.jspecify.annotations.NullMarked;
