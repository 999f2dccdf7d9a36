package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Identity;
import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.FileKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the file of a point: first all of it against its checksum. Not thread-safe. */
final class PointReader {
  private static final int SUM_CHARS = 64;

  /** The last line: a word and the checksum. */
  private static final int END_BYTES = 4 + SUM_CHARS + 1;

  /** The longest file that is read: about that of a million page files. */
  private static final long BYTES_MAX = 256 << 20;

  private final Path path;
  private final BufferedReader lines;
  private @Nullable String next;

  private PointReader(Path path, BufferedReader lines) {
    this.path = path;
    this.lines = lines;
  }

  /** Reads the file of a point. Throws CorruptException if a byte of it is damaged. */
  static Point read(BackupFiles files, String id) throws IOException {
    Path path = files.point(id);
    if (!FileKind.FILE.isAt(path)) {
      throw new CorruptException("%s: no such point; %s".formatted(path, known(files)));
    }
    if (Files.size(path) > BYTES_MAX) {
      throw damaged(path, "longer than " + BYTES_MAX + " bytes", null);
    }
    byte[] bytes = Files.readAllBytes(path);
    check(path, bytes);
    try {
      String text = new String(bytes, StandardCharsets.UTF_8);
      Point point = new PointReader(path, new BufferedReader(new StringReader(text))).point();
      if (!point.id().equals(id)) {
        throw damaged(path, "it is point " + point.id(), null);
      }
      return point;
    } catch (RuntimeException e) {
      throw e instanceof CorruptException ? e : damaged(path, e.toString(), e);
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

  /** Compares all bytes with the checksum in the last line. */
  private static void check(Path path, byte[] bytes) {
    int end = bytes.length - END_BYTES;
    if (end < 0
        || !new String(bytes, end, 4, StandardCharsets.ISO_8859_1).equals("end\t")
        || bytes[bytes.length - 1] != '\n') {
      throw damaged(path, "cut off", null);
    }
    MessageDigest digest = Identity.newSha256();
    digest.update(bytes, 0, end + 4);
    String sum = new String(bytes, end + 4, SUM_CHARS, StandardCharsets.ISO_8859_1);
    if (!HexFormat.of().formatHex(digest.digest()).equals(sum)) {
      throw damaged(path, "it does not match its checksum", null);
    }
  }

  private Point point() throws IOException {
    if (!PointWriter.HEAD.equals(lines.readLine())) {
      throw new CorruptException(
          path + ": not \"" + PointWriter.HEAD + "\"; use the program that wrote it");
    }
    String id = words("id", 2)[1];
    Instant time = Instant.parse(words("time", 2)[1]);
    String[] log = words("log", 3);
    long settled = Long.parseLong(words("settled", 2)[1]);
    next = lines.readLine();
    String[] lost = nextIf("lost");
    List<PointFile> files = new ArrayList<>();
    for (String[] words = nextIf("file"); words != null; words = nextIf("file")) {
      files.add(file(words));
    }
    List<Point.Day> days = new ArrayList<>();
    for (String[] words = nextIf("day"); words != null; words = nextIf("day")) {
      days.add(day(words));
    }
    return new Point(
        id,
        time,
        new Point.LogStart(Long.parseLong(log[1]), Long.parseLong(log[2])),
        settled,
        lost == null ? Losses.NONE : new Losses(Long.parseLong(lost[1]), Long.parseLong(lost[2])),
        files,
        days);
  }

  private String[] words(String name, int count) throws IOException {
    String line = lines.readLine();
    String[] words = line == null ? new String[0] : line.split("\t", -1);
    if (words.length != count || !words[0].equals(name)) {
      throw damaged(path, "no line \"" + name + "\"", null);
    }
    return words;
  }

  /** Takes the next line if it has a name; null if it has another. */
  private String @Nullable [] nextIf(String name) throws IOException {
    if (next == null || !next.startsWith(name + "\t")) {
      return null;
    }
    String[] words = next.split("\t", -1);
    next = lines.readLine();
    return words;
  }

  private static PointFile file(String[] words) {
    long bytes = Long.parseLong(words[2]);
    return words[3].equals(PointWriter.MISSING)
        ? new PointFile(words[1], bytes, null, null)
        : new PointFile(words[1], bytes, words[3], words[4]);
  }

  private Point.Day day(String[] words) throws IOException {
    List<Point.HourState> hours = new ArrayList<>();
    for (String[] hour = nextIf("hour"); hour != null; hour = nextIf("hour")) {
      hours.add(new Point.HourState(Hour.parse(hour[1]), hour[2]));
    }
    return new Point.Day(
        LocalDate.parse(words[1]),
        Long.parseLong(words[2]),
        words[3],
        new Point.Totals(
            Long.parseLong(words[4]), Long.parseLong(words[5]), Long.parseLong(words[6])),
        hours);
  }
}
