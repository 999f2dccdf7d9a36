package hourglass.config.cli;

import java.util.regex.Pattern;

/** Text as one word of a shell's command line. */
final class ShellWord {
  /** Characters without a meaning to any shell. */
  private static final Pattern PLAIN = Pattern.compile("[\\w./:=@%+,-]+");

  private ShellWord() {}

  static String quoted(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
