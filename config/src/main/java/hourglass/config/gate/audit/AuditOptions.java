package hourglass.config.gate.audit;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The options of the audit file. Immutable.
 *
 * @param file null if none is written
 * @param exportBytes the size from which an answer is an export
 * @param rotateBytes the size limit of a file, at which the next one is begun
 * @param keep the number of older files kept besides the current one
 */
public record AuditOptions(@Nullable Path file, long exportBytes, long rotateBytes, int keep) {
  public static final AuditOptions DEFAULT = new AuditOptions(null, 64L << 20, 64L << 20, 5);
}
