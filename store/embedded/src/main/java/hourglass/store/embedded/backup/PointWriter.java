package hourglass.store.embedded.backup;

import hourglass.store.embedded.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;

/** Writes the file of a point; see docs/backup-format.md. */
final class PointWriter {
  static final String HEAD = "hourglass backup point 1";
  static final String MISSING = "missing";

  private PointWriter() {}

  /** Writes a whole file, which is forced on return. */
  static void write(Disk disk, Path path, Point point) throws IOException {
    try (Disk.AppendFile file = disk.create(path)) {
      LineWriter out = new LineWriter(file);
      out.line(HEAD);
      out.line("id", point.id());
      out.line("time", point.time().toString());
      out.line("log", Long.toString(point.log().segment()), Long.toString(point.log().group()));
      out.line("settled", Long.toString(point.settledTicks()));
      if (!point.losses().isNone()) {
        out.line(
            "lost", Long.toString(point.losses().pages()), Long.toString(point.losses().events()));
      }
      for (PointFile each : point.files()) {
        write(out, each);
      }
      for (Point.Day each : point.days()) {
        write(out, each);
      }
      out.endWithDigest("end");
      file.force();
    }
  }

  private static void write(LineWriter out, PointFile file) throws IOException {
    String bytes = Long.toString(file.bytes());
    if (file.pooled() == null || file.sha256() == null) {
      out.line("file", file.path(), bytes, MISSING);
    } else {
      out.line("file", file.path(), bytes, file.pooled(), file.sha256());
    }
  }

  private static void write(LineWriter out, Point.Day day) throws IOException {
    Point.Totals totals = day.totals();
    out.line(
        "day",
        day.date().toString(),
        Long.toString(day.bytes()),
        day.sha256(),
        Long.toString(totals.rows()),
        Long.toString(totals.columns()),
        Long.toString(totals.damaged()));
    for (Point.HourState each : day.hours()) {
      out.line("hour", each.hour().toString(), each.state());
    }
  }
}
