package hourglass.ingest.syslog;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Distinguishes a tag without a colon from the first word of a text. Both of these are sent:
 *
 * <pre>
 * &lt;133&gt;Nov 28 11:57:38 web-1 checkout paid 12.50      rsyslog, with the tag checkout
 * &lt;134&gt;Nov 28 11:57:38 web-1 paid 12.50               log4j2, without any
 * </pre>
 *
 * <p>A host has few programs, and its texts begin with many words. So a word is a tag until the
 * host's messages have begun with too many different ones. The words are lost with the process.
 * Thread-safe.
 */
final class BareTags {
  /** The longest tag in RFC 3164. */
  static final int TAG_BYTES_MAX = 32;

  /** The most words of a host: above the number of its programs whose tag ends without a colon. */
  static final int WORDS_MAX = 32;

  /** The most hosts; 1,000 use 3 MB. Further hosts have no tags without a colon. */
  static final int HOSTS_MAX = 1_000;

  // The lock of this object guards the map.
  private final Map<String, Set<String>> wordsByHost = new HashMap<>();

  /**
   * Returns the end of the tag that begins at {@code from}, before {@code to}; {@code from} if
   * there is none.
   */
  int end(byte[] b, int hostFrom, int hostTo, int from, int to) {
    int at = from;
    boolean hasLetter = false;
    while (at < to && isOfTag(b[at])) {
      hasLetter |= isLetter(b[at]);
      at++;
    }
    boolean isWord = hasLetter && at - from <= TAG_BYTES_MAX && at < to && b[at] == ' ';
    return isWord && isTag(text(b, hostFrom, hostTo), text(b, from, at)) ? at : from;
  }

  private static boolean isOfTag(byte c) {
    return isLetter(c) || c >= '-' && c <= '9' || c == '_'; // and . and /
  }

  private static boolean isLetter(byte c) {
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  }

  private static String text(byte[] b, int from, int to) {
    return new String(b, from, to - from, StandardCharsets.ISO_8859_1);
  }

  synchronized boolean isTag(String host, String word) {
    Set<String> words = wordsByHost.get(host);
    if (words == null) {
      if (wordsByHost.size() == HOSTS_MAX) {
        return false; // to forget a host would make types of its words again and again
      }
      words = new HashSet<>();
      wordsByHost.put(host, words);
    }
    if (words.size() <= WORDS_MAX) {
      words.add(word);
    }
    return words.size() <= WORDS_MAX;
  }
}
