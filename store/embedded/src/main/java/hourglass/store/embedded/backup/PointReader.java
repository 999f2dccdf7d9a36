package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Identity;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.FileKind;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file of a point: first all of it against its checksum, then the files, then hour by
 * hour. Keeps the files and the rows of one hour in memory. Not thread-safe.
 */
final class PointReader implements Closeable {
  private static final int SUM_CHARS = 64;

  /** The longest last line: three numbers and the checksum. */
  private static final int END_BYTES_MAX = 4 + 3 * 20 + SUM_CHARS + 2;

  private final Path path;
  private final BufferedReader lines;
  private Point point;
  private @Nullable String next;

  @SuppressWarnings("NullAway.Init") // open() reads the point
  private PointReader(Path path, BufferedReader lines) {
    this.path = path;
    this.lines = lines;
  }

  /**
   * The rows of an hour.
   *
   * @param state distinguishes the pages from those of another moment
   * @param damaged the rows, or hours, that could not be read when the point was made
   */
  record HourRows(Hour hour, String state, List<RowProof> rows, List<String> damaged) {}

  /** Opens the file of a point. Throws CorruptException if a byte of it is damaged. */
  static PointReader open(BackupFiles files, String id) throws IOException {
    Path path = files.point(id);
    if (!FileKind.FILE.isAt(path)) {
      throw new CorruptException("%s: no such point; %s".formatted(path, known(files)));
    }
    Point.Totals totals = check(path);
    PointReader reader = new PointReader(path, Files.newBufferedReader(path));
    boolean isWhole = false;
    try {
      reader.readPoint(totals);
      if (!reader.point.id().equals(id)) {
        throw damaged(path, "it is point " + reader.point.id(), null);
      }
      isWhole = true;
      return reader;
    } catch (RuntimeException e) {
      throw e instanceof CorruptException ? e : damaged(path, e.toString(), e);
    } finally {
      if (!isWhole) {
        reader.close();
      }
    }
  }

  private static String known(BackupFiles files) throws IOException {
    List<String> ids = files.ids();
    return ids.isEmpty() ? "there is none" : "there are " + String.join(", ", ids);
  }

  private static CorruptException damaged(Path path, String how, @Nullable Exception cause) {
    return new CorruptException(
        path + ": damaged: " + how + "; restore another point, or delete this one", cause);
  }

  /** Compares all bytes with the checksum in the last line, and returns the totals there. */
  private static Point.Totals check(Path path) throws IOException {
    long size = Files.size(path);
    MessageDigest digest = Identity.newSha256();
    byte[] end;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
      byte[] part = new byte[64 << 10];
      long left = Math.max(0, size - END_BYTES_MAX);
      while (left > 0) {
        int count = in.read(part, 0, (int) Math.min(part.length, left));
        if (count < 0) {
          throw damaged(path, "cut off", null);
        }
        digest.update(part, 0, count);
        left -= count;
      }
      end = in.readNBytes(END_BYTES_MAX);
    }
    int summed = end.length - SUM_CHARS - 1;
    String text = new String(end, StandardCharsets.ISO_8859_1);
    String last = text.substring(text.lastIndexOf('\n', text.length() - 2) + 1);
    String[] words = last.strip().split("\t", -1);
    if (summed < 0 || words.length != 5 || !words[0].equals("end") || !last.endsWith("\n")) {
      throw damaged(path, "cut off", null);
    }
    digest.update(end, 0, summed);
    if (!HexFormat.of().formatHex(digest.digest()).equals(words[4])) {
      throw damaged(path, "it does not match its checksum", null);
    }
    return new Point.Totals(
        Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
  }

  Point point() {
    return point;
  }

  private void readPoint(Point.Totals totals) throws IOException {
    if (!PointWriter.HEAD.equals(lines.readLine())) {
      throw new CorruptException(
          path + ": not \"" + PointWriter.HEAD + "\"; use the program that wrote it");
    }
    String id = words("id", 2)[1];
    Instant time = Instant.parse(words("time", 2)[1]);
    String[] log = words("log", 3);
    long settled = Long.parseLong(words("settled", 2)[1]);
    List<PointFile> files = new ArrayList<>();
    next = lines.readLine();
    while (next != null && next.startsWith("file\t")) {
      files.add(file(next.split("\t", -1)));
      next = lines.readLine();
    }
    point =
        new Point(
            id,
            time,
            new Point.LogStart(Long.parseLong(log[1]), Long.parseLong(log[2])),
            settled,
            files,
            totals);
  }

  private static PointFile file(String[] words) {
    long bytes = Long.parseLong(words[2]);
    return words[3].equals(PointWriter.MISSING)
        ? new PointFile(words[1], bytes, null, null)
        : new PointFile(words[1], bytes, words[3], words[4]);
  }

  private String[] words(String name, int count) throws IOException {
    String line = lines.readLine();
    String[] words = line == null ? new String[0] : line.split("\t", -1);
    if (words.length != count || !words[0].equals(name)) {
      throw damaged(path, "no line \"" + name + "\"", null);
    }
    return words;
  }

  /** Returns the rows of the next hour; null after the last one. */
  @Nullable HourRows nextHour() throws IOException {
    if (next == null || !next.startsWith("hour\t")) {
      return null;
    }
    try {
      String[] words = next.split("\t", -1);
      List<RowProof> rows = new ArrayList<>();
      List<String> damaged = new ArrayList<>();
      next = lines.readLine();
      while (next != null && (next.startsWith("row\t") || next.startsWith("damaged\t"))) {
        String[] each = next.split("\t", -1);
        if (each[0].equals("row")) {
          rows.add(
              new RowProof(
                  RowKey.parse(each[1]),
                  Long.parseLong(each[2]),
                  Long.parseLong(each[3]),
                  HexFormat.fromHexDigitsToLong(each[4])));
        } else {
          damaged.add(each[1]);
        }
        next = lines.readLine();
      }
      return new HourRows(Hour.parse(words[1]), words[2], rows, damaged);
    } catch (RuntimeException e) {
      throw damaged(path, e.toString(), e);
    }
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
