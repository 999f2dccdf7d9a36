package hourglass.store.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The log of a process. */
final class LogTail {
  private static final int LINES = 40;

  private LogTail() {}

  /** The last lines from a position on, for the message of a failure. */
  static String of(Path log, long start) {
    List<String> lines = text(log, start).lines().toList();
    return lines.subList(Math.max(0, lines.size() - LINES), lines.size()).stream()
        .map(line -> "\n  " + line)
        .collect(Collectors.joining("", "the end of " + log + ":", ""));
  }

  /** All from a position on. */
  static String text(Path log, long start) {
    try {
      byte[] all = Files.readAllBytes(log);
      int from = (int) Math.min(start, all.length);
      return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
