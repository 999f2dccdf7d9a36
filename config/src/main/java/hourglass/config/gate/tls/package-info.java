/**
 * The certificates of the server and of clients, which are read from PEM files and read again when
 * these change. Begin with {@link hourglass.config.gate.tls.ServerTls}.
 */
@NullMarked
package hourglass.config.gate.tls;

import org.jspecify.annotations.NullMarked;
