package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Identity;
import hourglass.bucketing.RowKey;
import hourglass.store.embedded.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/**
 * Writes the file of a point, line by line; see docs/backup-format.md. Keeps one buffer in memory.
 * Not thread-safe.
 */
final class PointWriter {
  static final String HEAD = "hourglass backup point 1";
  static final String MISSING = "missing";

  private static final int BUFFER_BYTES = 64 << 10;

  private final Disk.AppendFile file;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private final MessageDigest digest = Identity.newSha256();
  private long rows;
  private long columns;
  private long damaged;

  private PointWriter(Disk.AppendFile file) {
    this.file = file;
  }

  /** Writes a whole file, which is forced on return. */
  static Point.Totals write(Disk disk, Path path, Body body) throws IOException {
    try (Disk.AppendFile file = disk.create(path)) {
      PointWriter writer = new PointWriter(file);
      body.writeTo(writer);
      writer.end();
      file.force();
      return writer.totals();
    }
  }

  /** Writes the content of a point. */
  interface Body {
    void writeTo(PointWriter out) throws IOException;
  }

  void head(String id, Instant time, Point.LogStart log, long settledTicks) throws IOException {
    line(HEAD);
    line("id", id);
    line("time", time.toString());
    line("log", Long.toString(log.segment()), Long.toString(log.group()));
    line("settled", Long.toString(settledTicks));
  }

  void files(List<PointFile> files) throws IOException {
    for (PointFile each : files) {
      String bytes = Long.toString(each.bytes());
      if (each.pooled() == null || each.sha256() == null) {
        line("file", each.path(), bytes, MISSING);
      } else {
        line("file", each.path(), bytes, each.pooled(), each.sha256());
      }
    }
  }

  /**
   * Begins an hour; its rows follow.
   *
   * @param state distinguishes its pages from those of another moment
   */
  void hour(Hour hour, String state) throws IOException {
    line("hour", hour.toString(), state);
  }

  void row(RowProof row) throws IOException {
    rows++;
    columns += row.columns();
    line(
        "row",
        row.row().toString(),
        Long.toString(row.columns()),
        Long.toString(row.bytes()),
        HexFormat.of().toHexDigits(row.digest()));
  }

  /** Adds a row that cannot be read in the store itself. */
  void damaged(RowKey row) throws IOException {
    damaged++;
    line("damaged", row.toString());
  }

  /** Adds an hour whose rows are not known, as its directory cannot be read in the store itself. */
  void damagedHour(Hour hour) throws IOException {
    damaged++;
    line("damaged", hour.toString());
  }

  Point.Totals totals() {
    return new Point.Totals(rows, columns, damaged);
  }

  private void line(String... words) throws IOException {
    put((String.join("\t", words) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private void put(byte[] line) throws IOException {
    digest.update(line);
    if (buffer.remaining() < line.length) {
      flush();
    }
    buffer.put(line);
  }

  private void end() throws IOException {
    String totals = "end\t%s\t%s\t%s\t".formatted(rows, columns, damaged);
    digest.update(totals.getBytes(StandardCharsets.UTF_8));
    String sum = HexFormat.of().formatHex(digest.digest());
    put((totals + sum + "\n").getBytes(StandardCharsets.UTF_8));
    flush();
  }

  private void flush() throws IOException {
    file.write(buffer.flip());
    buffer.clear();
  }
}
