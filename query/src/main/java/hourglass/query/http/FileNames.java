package hourglass.query.http;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Tells which names a download may have, so that every system takes it for what it seems. */
public final class FileNames {
  /** What {@link #isPlain} allows, for people. */
  static final String ALLOWED =
      "a file's name of 1 to 200 bytes of UTF-8, without /, \\, :, *, ?, <, >, |, control or"
          + " invisible characters, a dot or blank at either end, and no device's name such as CON";

  /** File systems take 255; some of it is for what a browser adds to tell two files apart. */
  private static final int BYTES_MAX = 200;

  /**
   * Paths and streams of files, what Windows takes for patterns or pipes, and what is not seen:
   * with U+202E, {@code fdp.exe} reads as {@code exe.pdf}.
   */
  private static final Pattern FORBIDDEN =
      Pattern.compile("[/\\\\:*?<>|\\p{Cc}\\p{Cf}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}]");

  /** Devices of Windows, whatever follows their first dot. */
  private static final Pattern DEVICE =
      Pattern.compile(
          "(con|prn|aux|nul|conin\\$|conout\\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\\..*)?",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  /** Hidden files, and what some systems strip. */
  private static final Pattern EDGE = Pattern.compile("[.\\p{Z}].*|.*[.\\p{Z}]", Pattern.DOTALL);

  private FileNames() {}

  /** Whether a name is one of a usual file. */
  public static boolean isPlain(String name) {
    return !name.isEmpty()
        && name.getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX
        && !FORBIDDEN.matcher(name).find()
        && !EDGE.matcher(name).matches()
        && !DEVICE.matcher(name).matches();
  }
}
