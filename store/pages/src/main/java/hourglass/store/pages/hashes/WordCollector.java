package hourglass.store.pages.hashes;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.bytes.WordReader;
import java.nio.charset.StandardCharsets;

/**
 * Collects the distinct words of a page, and the marks that stand for others. Not thread-safe;
 * reused.
 */
public final class WordCollector {
  private static final ByteSearch UNICODE_ESCAPE =
      new ByteSearch("\\u".getBytes(StandardCharsets.US_ASCII), false);

  private final DistinctHashes words;
  private final WordReader reader = new WordReader();
  private final WordForm form = new WordForm();
  private final WordList list = new WordList();

  /** Whether the list gets the forms of words; not if any word is left out. */
  private boolean listsForms;

  /** The most hexadecimal digits inside of a word. */
  private int hexInside;

  /**
   * Creates a collector.
   *
   * @param words gets the hashes of words and their forms; the owner clears it
   */
  public WordCollector(DistinctHashes words) {
    this.words = words;
  }

  /**
   * Begins a page.
   *
   * @param forIndex whether its words are for an index, which may have a dictionary of them
   */
  public void clear(boolean forIndex) {
    list.clear();
    listsForms = forIndex;
    hexInside = 0;
  }

  /** Returns the number of words in a text. */
  public int count(byte[] bytes, int from, int to) {
    int count = 0;
    for (reader.reset(bytes, from, to, false); reader.next(); ) {
      count++;
    }
    return count;
  }

  /**
   * Adds the words of bytes as they stand, and those of strings in them, in which escapes stand for
   * characters. If there is no room for all, it adds the mark for words that were left out and
   * returns false.
   */
  public boolean add(byte[] bytes, int from, int to, DistinctHashes into) {
    boolean hasRoom = read(bytes, from, to, false, into);
    if (ByteWords.find((byte) '\\', bytes, from, to) >= 0) {
      addMark(WordHash.ESCAPES);
      if (UNICODE_ESCAPE.find(bytes, from, to) >= 0) {
        addMark(WordHash.UNICODE_ESCAPES);
      }
      hasRoom &= read(bytes, from, to, true, into);
    }
    return hasRoom;
  }

  private boolean read(byte[] bytes, int from, int to, boolean isString, DistinctHashes into) {
    for (reader.reset(bytes, from, to, isString); reader.next(); ) {
      long hash = ValueHash.word(reader.word(), 0, reader.length());
      switch (into.add(hash)) {
        case NEW -> addNew(hash);
        case KNOWN -> {}
        case FULL -> {
          leaveOut();
          return false;
        }
      }
    }
    return true;
  }

  /** Adds the form of the word that was read last, which is new in a set. */
  private void addNew(long hashOfWord) {
    int length = reader.length();
    hexInside = Math.max(hexInside, WordHash.hexInside(reader.word(), 0, length));
    if (!listsForms) {
      return;
    }
    if (WordHash.areHex(reader.word(), 0, length) && WordForm.hasDigit(reader.word(), 0, length)) {
      addMark(WordHash.IDS); // no need for its form
      return;
    }
    form.reset(reader.word(), 0, length);
    if (form.isLong()) {
      addMark(WordHash.LONG_WORDS);
    } else if (!form.hasId()) {
      list.add(form, hashOfWord);
    } else {
      long hash = form.hash();
      switch (words.add(hash)) {
        case NEW -> list.add(form, hash);
        case KNOWN -> {}
        case FULL -> leaveOut();
      }
    }
  }

  /** Adds the mark for words that were left out: the page may have any word then. */
  public void leaveOut() {
    addMark(WordHash.LEFT_OUT);
    listsForms = false;
    list.clearWords();
  }

  /** Adds a mark of a kind of {@link WordHash}. */
  public void addMark(int kind) {
    list.addMark(kind);
  }

  /** Adds the hashes of all marks; false if there is no room. */
  public boolean addMarksTo(DistinctHashes values) {
    if (hexInside >= WordHash.HEX_MIN) {
      addMark(WordHash.hex(hexInside));
    }
    for (long marks = list.marks(); marks != 0; marks &= marks - 1) {
      long mark = WordHash.mark(Long.numberOfTrailingZeros(marks));
      if (values.add(mark) == DistinctHashes.Added.FULL) {
        return false;
      }
    }
    return true;
  }

  /** Returns the forms of all words, unless any was left out, and the marks. */
  public WordList list() {
    return list;
  }
}
