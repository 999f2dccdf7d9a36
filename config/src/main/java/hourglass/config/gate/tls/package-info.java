/**
 * Certificates of the server and of clients, read from PEM files and taken anew when these change.
 * Begin with {@link hourglass.config.gate.tls.ServerTls}.
 */
@NullMarked
package hourglass.config.gate.tls;

import org.jspecify.annotations.NullMarked;
