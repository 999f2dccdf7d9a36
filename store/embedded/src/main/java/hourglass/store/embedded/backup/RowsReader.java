package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.FileKind;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a day: first all of the file against its SHA-256, then hour by hour. Keeps the
 * rows of one hour in memory. Not thread-safe.
 */
final class RowsReader implements Closeable {
  private final Path path;
  private final BufferedReader lines;
  private @Nullable String next;

  private RowsReader(Path path, BufferedReader lines) {
    this.path = path;
    this.lines = lines;
  }

  /**
   * The rows of an hour.
   *
   * @param damaged the rows, or hours, that could not be read when the point was made
   */
  record HourRows(Hour hour, List<RowProof> rows, List<String> damaged) {}

  /** Opens the rows of a day. Throws CorruptException if the file is missing or damaged. */
  static RowsReader open(BackupFiles files, Point.Day day) throws IOException {
    Path path = files.pooled(day.pooled());
    if (!FileKind.FILE.isAt(path)
        || !new FileCopy().digest(path, Files.size(path), read -> {}).equals(day.sha256())) {
      throw damaged(path, "missing, or does not match its SHA-256", null);
    }
    RowsReader reader = new RowsReader(path, Files.newBufferedReader(path));
    reader.next = reader.lines.readLine();
    return reader;
  }

  private static CorruptException damaged(Path path, String how, @Nullable Exception cause) {
    return new CorruptException("%s: %s; restore another point".formatted(path, how), cause);
  }

  /** Returns the rows of the next hour; null after the last one. */
  @Nullable HourRows nextHour() throws IOException {
    if (next == null) {
      return null;
    }
    try {
      Hour hour = Hour.parse(next.split("\t", -1)[1]);
      List<RowProof> rows = new ArrayList<>();
      List<String> damaged = new ArrayList<>();
      next = lines.readLine();
      while (next != null && !next.startsWith("hour\t")) {
        String[] words = next.split("\t", -1);
        if (words[0].equals("row")) {
          rows.add(
              new RowProof(
                  RowKey.parse(words[1]),
                  Long.parseLong(words[2]),
                  Long.parseLong(words[3]),
                  HexFormat.fromHexDigitsToLong(words[4])));
        } else {
          damaged.add(words[1]);
        }
        next = lines.readLine();
      }
      return new HourRows(hour, rows, damaged);
    } catch (RuntimeException e) {
      throw damaged(path, "no rows: " + e, e);
    }
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
