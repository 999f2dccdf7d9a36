package hourglass.store;

/**
 * A word that a filter requires, as {@link hourglass.bytes.WordReader} folds it. Immutable.
 *
 * @param text at least one character
 * @param mayGoOn whether a longer word that begins with the text is found as well
 */
public record SoughtWord(String text, boolean mayGoOn) {}
