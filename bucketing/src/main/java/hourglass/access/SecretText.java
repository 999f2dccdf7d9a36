package hourglass.access;

import java.util.regex.Pattern;

/** Texts that strangers choose may hold a secret by mistake, as in an address or a path. */
public final class SecretText {
  /** Also one that was cut, in another case, or with something behind it. */
  private static final Pattern FORM =
      Pattern.compile("hg_[a-z0-9_-]{16,}", Pattern.CASE_INSENSITIVE);

  private SecretText() {}

  /** Whether some of it looks like the secret of a key. */
  static boolean isIn(String text) {
    return FORM.matcher(text).find();
  }

  /** Replaces whatever looks like the secret of a key, for logs and error texts. */
  public static String hide(String text) {
    return FORM.matcher(text).replaceAll("hg_***");
  }
}
