package hourglass.store.embedded.backup;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file of a point.
 *
 * @param path its place in a data directory, with slashes
 * @param bytes its length
 * @param pooled its name in the pool; null if the store missed the file
 * @param sha256 of its bytes, in hexadecimals; null if the store missed the file
 */
record PointFile(String path, long bytes, @Nullable String pooled, @Nullable String sha256) {
  /** The files that a restore writes. No other path is accepted. */
  private static final Pattern PATH =
      Pattern.compile(
          "CATALOGUE|pages/\\d{20}\\.pages|arrivals/\\d{20}\\.notes|first-times/\\d{20}\\.times"
              + "|erasures/\\d{20}\\.erasure");

  PointFile {
    if (!PATH.matcher(path).matches()) {
      throw new IllegalArgumentException("\"" + path + "\" is no file of a store");
    }
    if (bytes < 0) {
      throw new IllegalArgumentException(path + ": length: " + bytes + " < 0");
    }
  }

  boolean isPages() {
    return path.startsWith("pages/");
  }

  /** Returns the number of a page file. */
  long number() {
    return Long.parseLong(path.substring(path.indexOf('/') + 1, path.indexOf('.')));
  }
}
