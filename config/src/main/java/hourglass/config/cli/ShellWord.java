package hourglass.config.cli;

import java.util.regex.Pattern;

/** Text as one word of a shell's command line. */
final class ShellWord {
  /** What no shell takes for anything but itself. */
  private static final Pattern PLAIN = Pattern.compile("[\\w./:=@%+,-]+");

  private ShellWord() {}

  static String quoted(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
