package hourglass.query.line;

import hourglass.bytes.JsonScan;
import org.jspecify.annotations.Nullable;

/**
 * The level of a line whose labels and metadata contain none. In a JSON object, the first text with
 * a name of a level decides; it may be in the object itself or in an object in it. In a line with
 * {@code =}, the pair with the first of the names decides. In any other line, or if such a text
 * spells no level, the first word that spells one decides.
 *
 * <p>Source: "Log level detection" of Loki, whose words are bounded on the left by another set of
 * signs than on the right.
 */
final class LevelOfLine {
  private static final int NONE = -1;

  /** The number of levels of objects that are searched: the object itself, and those in it. */
  private static final int LEVELS_MAX = 2;

  private static final boolean[] LEFT = signs(" \t\n[({\"'=|");
  private static final boolean[] RIGHT = signs(" \t\n[](){}:,!\"'=|");

  private LevelOfLine() {}

  private static boolean[] signs(String signs) {
    boolean[] all = new boolean[1 << Byte.SIZE];
    signs.chars().forEach(sign -> all[sign] = true);
    return all;
  }

  /**
   * Returns the level of the line in {@code [from, to)}, in UTF-8; {@code unknown} if it contains
   * none.
   */
  static String of(byte[] line, int from, int to) {
    String level = null;
    if (isObject(line, from, to)) {
      level = ofJson(line, JsonScan.skipSpace(line, from, to), to);
    } else if (indexOf('=', line, from, to) < to) {
      level = ofPairs(line, from, to);
    }
    return level == null ? ofWords(line, from, to) : level;
  }

  private static boolean isObject(byte[] line, int from, int to) {
    int last = to - 1;
    while (last > from && JsonScan.isSpace(line[last])) {
      last--;
    }
    int first = JsonScan.skipSpace(line, from, to);
    return first < last && line[first] == '{' && line[last] == '}';
  }

  private static int indexOf(char sign, byte[] line, int from, int to) {
    int at = from;
    while (at < to && line[at] != sign) {
      at++;
    }
    return at;
  }

  /**
   * Returns the level of a JSON object; null if it contains none. A line may be anything between
   * its brackets.
   */
  private static @Nullable String ofJson(byte[] line, int open, int to) {
    try {
      int value = textOfName(line, open, to, LEVELS_MAX);
      return value == NONE
          ? null
          : LevelNames.level(line, value + 1, JsonScan.skipString(line, value, to) - 1);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return null; // an escape that is none, or the end within a value
    }
  }

  private static int textOfName(byte[] line, int open, int to, int levels) {
    int at = JsonScan.skipSpace(line, open + 1, to);
    while (at < to && line[at] == '"') {
      int keyEnd = JsonScan.skipString(line, at, to);
      int value = JsonScan.valueAfter(line, keyEnd, to);
      int end = JsonScan.skipValue(line, value, to);
      if (line[value] == '"' && LevelNames.index(line, at + 1, keyEnd - 1) != LevelNames.NONE) {
        return value;
      }
      if (line[value] == '{' && levels > 1) {
        int inner = textOfName(line, value, end, levels - 1);
        if (inner != NONE) {
          return inner;
        }
      }
      at = JsonScan.next(line, end, to);
    }
    return NONE;
  }

  /**
   * Returns the level of the pairs in a line; null if they contain none. As in Loki, the search
   * ends at the first part that is not a pair.
   */
  private static @Nullable String ofPairs(byte[] line, int from, int to) {
    int best = LevelNames.NAMES.size();
    String level = null;
    int at = from;
    while (best > 0) {
      while (at < to && JsonScan.isSpace(line[at])) {
        at++;
      }
      int key = at;
      while (at < to && !JsonScan.isSpace(line[at]) && line[at] != '=' && line[at] != '"') {
        at++;
      }
      int keyEnd = at;
      if (at == to) {
        break;
      }
      if (JsonScan.isSpace(line[at])) {
        continue; // a word
      }
      if (line[at] == '"' || keyEnd == key) {
        break;
      }
      int value = ++at;
      boolean isQuoted = at < to && line[at] == '"';
      if (isQuoted) {
        value = ++at;
        while (at < to && line[at] != '"') {
          at += line[at] == '\\' ? 2 : 1;
        }
      } else {
        while (at < to && !JsonScan.isSpace(line[at]) && line[at] != '=' && line[at] != '"') {
          at++;
        }
      }
      boolean isEnd = isQuoted ? at >= to : at < to && !JsonScan.isSpace(line[at]);
      if (isEnd) {
        break;
      }
      int name = LevelNames.indexInAnyCase(line, key, keyEnd);
      if (name != LevelNames.NONE && name < best) {
        best = name;
        level = LevelNames.level(line, value, at);
      }
      at += isQuoted ? 1 : 0;
    }
    return level;
  }

  private static String ofWords(byte[] line, int from, int to) {
    for (int at = from; at < to; at++) {
      if (at == from || LEFT[line[at - 1] & 0xff]) {
        String level = word(line, at, to);
        if (level != null) {
          return level;
        }
      }
    }
    return LevelNames.UNKNOWN;
  }

  /**
   * Returns the level that the word at {@code at} spells; null if it spells none. Not all spellings
   * are words.
   */
  private static @Nullable String word(byte[] line, int at, int to) {
    String text =
        switch (line[at] | 0x20) {
          case 't' -> "trace";
          case 'd' -> "debug";
          case 'f' -> "fatal";
          case 'c' -> "critical";
          case 'e' -> isWord("err", line, at, to) ? "err" : "error";
          case 'w' -> isWord("warn", line, at, to) ? "warn" : "warning";
          case 'i' -> "info";
          default -> "";
        };
    return !text.isEmpty() && isWord(text, line, at, to) ? LevelNames.level(text) : null;
  }

  private static boolean isWord(String text, byte[] line, int at, int to) {
    int end = at + text.length();
    if (end > to || end < to && !RIGHT[line[end] & 0xff]) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if ((line[at + i] | 0x20) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
