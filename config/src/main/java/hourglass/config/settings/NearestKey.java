package hourglass.config.settings;

import java.util.Collection;
import java.util.Comparator;

/** Finds the known key that an unknown key was probably meant to be. */
public final class NearestKey {
  private NearestKey() {}

  /**
   * Returns the known key with the fewest edits. A key's last word on its own counts as one edit
   * away from the whole key.
   */
  public static String to(String key, Collection<String> known) {
    return known.stream()
        .min(Comparator.<String>comparingInt(one -> edits(key, one)).thenComparing(one -> one))
        .orElseThrow();
  }

  private static int edits(String key, String known) {
    String lastWord = known.substring(known.lastIndexOf('.') + 1);
    return Math.min(distance(key, known), distance(key, lastWord) + 1);
  }

  /**
   * Returns the number of insertions, deletions and replacements between two texts (Levenshtein
   * 1966).
   */
  public static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
