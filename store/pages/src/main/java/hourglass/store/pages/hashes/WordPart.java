package hourglass.store.pages.hashes;

import java.nio.charset.StandardCharsets;

/**
 * A part of a word that a page must contain, in the case that {@link hourglass.bytes.WordReader}
 * folds to. A {@link WordDictionary} tells which words have it. Immutable.
 *
 * <pre>
 *   "efuse"              efuse anywhere in a word
 *   "tion refused by p"  words that end with tion, and words that begin with p
 *   the words dead*      words that begin with dead
 * </pre>
 *
 * @param text at least one character
 * @param begins whether the word begins with the part
 * @param ends whether the word ends with the part; not both, since that is a whole word
 */
public record WordPart(String text, boolean begins, boolean ends) {
  byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
