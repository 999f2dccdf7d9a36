/**
 * What was refused, changed and taken out, in a file. Begin with {@link
 * hourglass.config.audit.AuditLog}.
 */
@NullMarked
package hourglass.config.audit;

import org.jspecify.annotations.NullMarked;
