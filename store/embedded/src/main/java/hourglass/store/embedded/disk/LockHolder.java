package hourglass.store.embedded.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the process that holds the lock of a file, for messages. */
final class LockHolder {
  private static final String UNKNOWN = "of an unknown number";

  /** Linux lists all locks here; a line ends in "WRITE 4711 fe:01:131074 0 EOF". */
  private static final Path LOCKS = Path.of("/proc/locks");

  private static final Pattern LOCK =
      Pattern.compile("POSIX +\\S+ +WRITE +(\\d+) +\\w+:\\w+:(\\d+) .*");

  private LockHolder() {}

  /**
   * The number of the process that holds the lock.
   *
   * @param written the process number in the file; empty if none
   */
  static String of(Path file, String written) {
    return written.isBlank() ? fromSystem(file) : written.strip();
  }

  private static String fromSystem(Path file) {
    try {
      String inode = String.valueOf(Files.getAttribute(file, "unix:ino"));
      for (String line : Files.readAllLines(LOCKS)) {
        Matcher lock = LOCK.matcher(line.substring(line.indexOf(' ') + 1));
        if (lock.matches() && lock.group(2).equals(inode)) {
          return lock.group(1);
        }
      }
      return UNKNOWN;
    } catch (IOException | RuntimeException e) {
      return UNKNOWN; // not Linux: the message lacks the number
    }
  }
}
