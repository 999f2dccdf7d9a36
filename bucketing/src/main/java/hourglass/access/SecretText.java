package hourglass.access;

import java.util.regex.Pattern;

/**
 * Finds secrets in texts that strangers choose, such as addresses and paths, which may contain one
 * by mistake.
 */
public final class SecretText {
  /**
   * The form of a secret. It also matches one that was cut, is in another case, or has text after
   * it.
   */
  private static final Pattern FORM =
      Pattern.compile("hg_[a-z0-9_-]{16,}", Pattern.CASE_INSENSITIVE);

  private SecretText() {}

  /** Returns whether a part of the text looks like the secret of a key. */
  static boolean isIn(String text) {
    return FORM.matcher(text).find();
  }

  /** Replaces all text that looks like the secret of a key, for logs and error texts. */
  public static String hide(String text) {
    return FORM.matcher(text).replaceAll("hg_***");
  }
}
