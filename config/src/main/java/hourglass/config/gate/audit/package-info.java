/**
 * A file of the requests that were refused, the changes of keys, and the large answers. Begin with
 * {@link hourglass.config.gate.audit.AuditLog}.
 */
@NullMarked
package hourglass.config.gate.audit;

import org.jspecify.annotations.NullMarked;
