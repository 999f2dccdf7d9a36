package hourglass.query.http;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Checks the names of downloads, so that every system takes a name as it looks. */
public final class FileNames {
  /** The rule of {@link #isPlain} as text. */
  static final String ALLOWED =
      "a file's name of 1 to 200 bytes of UTF-8, without /, \\, :, *, ?, <, >, |, control or"
          + " invisible characters, a dot or blank at either end, and no device's name such as CON";

  /** File systems allow 255. The rest is for a suffix that a browser adds to a duplicate. */
  private static final int BYTES_MAX = 200;

  /**
   * Characters of paths, file streams, Windows patterns and pipes, and invisible characters: with
   * U+202E, {@code fdp.exe} reads as {@code exe.pdf}.
   */
  private static final Pattern FORBIDDEN =
      Pattern.compile("[/\\\\:*?<>|\\p{Cc}\\p{Cf}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}]");

  /** Windows devices, which Windows recognizes by the text before the first dot. */
  private static final Pattern DEVICE =
      Pattern.compile(
          "(con|prn|aux|nul|conin\\$|conout\\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\\..*)?",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  /** Hidden files, and blanks or dots that some systems strip. */
  private static final Pattern EDGE = Pattern.compile("[.\\p{Z}].*|.*[.\\p{Z}]", Pattern.DOTALL);

  private FileNames() {}

  /** Whether a name is safe as a file name on every system. */
  public static boolean isPlain(String name) {
    return !name.isEmpty()
        && name.getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX
        && !FORBIDDEN.matcher(name).find()
        && !EDGE.matcher(name).matches()
        && !DEVICE.matcher(name).matches();
  }
}
