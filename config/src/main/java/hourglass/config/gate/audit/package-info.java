/**
 * What was refused, changed and taken out, in a file. Begin with {@link
 * hourglass.config.gate.audit.AuditLog}.
 */
@NullMarked
package hourglass.config.gate.audit;

import org.jspecify.annotations.NullMarked;
