package hourglass.query.encode;

import hourglass.query.where.json.FieldPath;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads fields of a payload by their {@link FieldPath}. Used by one thread at a time. */
final class PathReader {
  private final List<FieldPath> paths;
  private final @Nullable String[] values;

  /**
   * Reading ends with a {@link java.util.concurrent.CancellationException} once {@code gone} is
   * true.
   */
  PathReader(List<String> paths, BooleanSupplier gone) {
    this.paths = paths.stream().map(path -> new FieldPath(path, gone)).toList();
    values = new @Nullable String[paths.size()];
  }

  /**
   * The values at the paths: strings without quotes, other values as in the payload. Null if a
   * field is absent or null. Valid until the next call.
   */
  @Nullable String[] read(byte[] payload, int from, int length) {
    for (int i = 0; i < values.length; i++) {
      FieldPath path = paths.get(i);
      values[i] = path.find(payload, from, from + length) ? path.text() : null;
    }
    return values;
  }
}
