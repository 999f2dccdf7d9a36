package hourglass.config.gate.audit;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where and how the audit file is written. Immutable.
 *
 * @param file null: none is written
 * @param exportBytes an answer of so many bytes is an export
 * @param rotateBytes of a file, before the next one is begun
 * @param keep older files beside the current one
 */
public record AuditOptions(@Nullable Path file, long exportBytes, long rotateBytes, int keep) {
  public static final AuditOptions DEFAULT = new AuditOptions(null, 64L << 20, 64L << 20, 5);
}
