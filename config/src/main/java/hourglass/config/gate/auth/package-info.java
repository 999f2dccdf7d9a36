/**
 * The permissions of requests. Begin with {@link AccessGate}, which every request passes when there
 * is a file of keys.
 */
@NullMarked
package hourglass.config.gate.auth;

import org.jspecify.annotations.NullMarked;
