package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.bytes.JsonScan;
import hourglass.store.pages.hashes.DistinctHashes;
import hourglass.store.pages.hashes.ValueHash;
import hourglass.store.pages.hashes.WordCollector;
import hourglass.store.pages.hashes.WordHash;
import hourglass.store.pages.runs.PageOutput;
import java.util.Arrays;

/**
 * Collects the distinct values and words of a page for its {@link ValueFilter} or an index of
 * several pages. It collects none before {@link #clear}. Not thread-safe; reused.
 *
 * <pre>
 *   values   of fields, and marks                                       always
 *   telling  words in place of values that differ                       if there is room
 *   words    of all other values and the parts of payloads              if there is room
 * </pre>
 */
final class ValueFilterWriter {
  /**
   * The bits of a value in the filter. As each value sets four of them, one of sixty pages without
   * a value seems to contain it.
   */
  private static final int BITS_PER_VALUE = 10;

  /** The least bits of a value; with fewer, most pages seem to contain any value. */
  private static final int BITS_PER_VALUE_MIN = 4;

  /** The divisor of the page's bytes that gives the most bytes of a filter. */
  private static final int SHARE = 4;

  /**
   * The most values: ten for each column of the widest page of small events. All further values
   * count as one.
   */
  private static final int VALUES_MAX = 1 << 14;

  /** The most telling words. With more, a mark stands for all values of the field. */
  private static final int TELLING_MAX = 1 << 14;

  /** The most words besides. With more, a mark stands for every word. */
  private static final int WORDS_MAX = 1 << 14;

  /**
   * The bits of a value in an index, about; the next is the divisor of the page's bytes that gives
   * the most bytes of its part of an index.
   */
  private static final int INDEX_BITS_PER_VALUE = 11;

  private static final int INDEX_SHARE = 3;

  /** The room for the hashes of fields that have more values. */
  private static final int ROOM = 1 << 10;

  /** The bytes of payload for each distinct word, if there are many. */
  private static final int BYTES_PER_WORD = 4;

  /** The values of a field that decide whether it is in the filter by its words. */
  private static final int SAMPLE = 32;

  /** The words of a value, from which on its words tell it apart. */
  private static final int MANY_WORDS = 6;

  private final DistinctHashes values = new DistinctHashes(VALUES_MAX + ROOM, 2 * VALUES_MAX);
  private final DistinctHashes telling = new DistinctHashes(TELLING_MAX, 2 * TELLING_MAX);
  private final DistinctHashes words = new DistinctHashes(WORDS_MAX, 4 * WORDS_MAX);
  private final WordCollector collector = new WordCollector(words);

  /** The hashes of all sets, once they are complete. */
  private long[] hashes = {};

  /** The keys of the fields whose words stand for their values. */
  private long[] keysByWords = new long[16];

  private int fieldsByWords;

  /** The key of the last field that added its mark for texts of several words. */
  private long keyOfSeveralWords;

  private boolean isComplete;

  /**
   * Begins a page with this number of values, equal ones included, and bytes of payload.
   *
   * @param forIndex whether its words are for an index, which may have a dictionary of them
   */
  void clear(int valueCount, int payloadBytes, boolean forIndex) {
    collector.clear(forIndex);
    values.clear(valueCount + ROOM);
    telling.clear(Math.max(valueCount, payloadBytes / BYTES_PER_WORD) + ROOM);
    words.clear(payloadBytes / BYTES_PER_WORD);
    keyOfSeveralWords = ValueHash.NOTHING;
    fieldsByWords = 0;
    isComplete = true;
  }

  /** Adds the words of a part of payloads between values. */
  void addPart(byte[] bytes, int from, int to) {
    if (isComplete) {
      collector.add(bytes, from, to, words);
    }
  }

  /** Adds a value of a field, and its words. */
  void add(Field field, byte[] bytes, int from, int to) {
    isComplete &= field.hasKey(); // a filter must contain all values
    if (!isComplete) {
      return;
    }
    addValue(field, bytes, from, to);
    collector.add(bytes, from, to, words);
  }

  /**
   * Adds all values of a field that differ: strings of one word or many by their words alone, as
   * these tell them apart.
   */
  void addTexts(Field field, byte[] bytes) {
    if (!isComplete) {
      return;
    }
    if (field.kind() == ValueSpans.STRING && field.hasKey() && areIndexedByWords(field, bytes)) {
      beginByWords(field);
      for (int i = 0; i < field.count() && isComplete; i++) {
        addByWords(field, bytes, field.start(i), field.end(i));
      }
      return;
    }
    for (int i = 0; i < field.count() && isComplete; i++) {
      add(field, bytes, field.start(i), field.end(i));
    }
  }

  private boolean areIndexedByWords(Field field, byte[] bytes) {
    int sampled = Math.min(SAMPLE, field.count());
    int found = 0;
    for (int i = 0; i < sampled; i++) {
      found += collector.count(bytes, field.start(i), field.end(i));
    }
    return found <= sampled || found >= MANY_WORDS * sampled;
  }

  private void beginByWords(Field field) {
    putValue(ValueHash.byWords(field.key()));
    if (fieldsByWords == keysByWords.length) {
      keysByWords = Arrays.copyOf(keysByWords, 2 * fieldsByWords);
    }
    keysByWords[fieldsByWords++] = field.key();
  }

  private void addByWords(Field field, byte[] bytes, int from, int to) {
    if (JsonScan.hasEscape(bytes, from, to)) {
      putValue(ValueHash.other(field.key()));
    } else if (ByteWords.find((byte) ' ', bytes, from, to) >= 0) {
      putSeveralWords(field.key());
    }
    if (!collector.add(bytes, from, to, telling)) {
      putValue(ValueHash.other(field.key()));
    }
  }

  /** Adds hexadecimals: the first and last words of UUIDs, and all words of others. */
  void addHex(Field field, byte[] bytes, boolean areUuids) {
    if (field.kind() != ValueSpans.STRING || !field.hasKey()) {
      addTexts(field, bytes);
      return;
    }
    if (!isComplete) {
      return;
    }
    beginByWords(field);
    if (areUuids) {
      collector.addMark(WordHash.UUIDS);
    }
    for (int i = 0; i < field.count() && isComplete; i++) {
      int from = field.start(i);
      int to = field.end(i);
      addByWords(field, bytes, from, areUuids ? from + HexValues.UUID_FIRST : to);
      if (areUuids) {
        addByWords(field, bytes, to - HexValues.UUID_LAST, to);
      }
    }
  }

  /** Adds numbers that differ: whole ones by their digits alone. */
  void addNumbers(Field field, byte[] bytes, boolean areWhole) {
    isComplete &= field.hasKey();
    if (!isComplete) {
      return;
    }
    if (areWhole) {
      addWhole(field, bytes);
      return;
    }
    for (int i = 0; i < field.count() && isComplete; i++) {
      addValue(field, bytes, field.start(i), field.end(i));
    }
    addDigits(field);
  }

  /** Adds the digits of whole numbers. Readers do not look for the digits of the longest. */
  private void addWhole(Field field, byte[] bytes) {
    beginByWords(field);
    for (int i = 0; i < field.count() && isComplete; i++) {
      int sign = bytes[field.start(i)] == '-' ? 1 : 0;
      if (field.length(i) - sign > ValueHash.WHOLE_DIGITS_MAX) {
        putValue(ValueHash.other(field.key()));
      }
      addByWords(field, bytes, field.start(i), field.end(i));
    }
  }

  /** Adds a mark for close numbers, of which most pages contain any. */
  void addCloseNumbers(Field field) {
    addNone(field);
    addDigits(field);
  }

  /** Adds marks for times, of which most pages contain any. */
  void addTimes(Field field, int digitsOfSecond) {
    addNone(field);
    if (isComplete) {
      collector.addMark(WordHash.TIMES);
      collector.addMark(WordHash.fractions(digitsOfSecond));
    }
  }

  private void addDigits(Field field) {
    int most = 0;
    for (int i = 0; i < field.count(); i++) {
      most = Math.max(most, field.length(i));
    }
    if (isComplete) {
      collector.addMark(WordHash.digits(most));
    }
  }

  private void addNone(Field field) {
    isComplete &= field.hasKey();
    if (isComplete) {
      putValue(ValueHash.other(field.key()));
    }
  }

  private void addValue(Field field, byte[] bytes, int from, int to) {
    long hash =
        switch (field.kind()) {
          case ValueSpans.STRING -> ValueHash.ofString(field.key(), bytes, from, to);
          case ValueSpans.SCALAR -> ValueHash.ofScalar(field.key(), bytes, from, to);
          default -> ValueHash.NOTHING;
        };
    if (field.kind() == ValueSpans.COMPOUND) {
      isComplete &= bytes[from] != '{'; // its members are not values of the page
      putSeveralWords(field.key());
    } else if (hash != ValueHash.NOTHING) {
      putValue(values.count() < VALUES_MAX ? hash : ValueHash.other(field.key()));
      if (field.kind() == ValueSpans.STRING && ByteWords.find((byte) ' ', bytes, from, to) >= 0) {
        putSeveralWords(field.key());
      }
    }
  }

  private void putSeveralWords(long key) {
    if (key != keyOfSeveralWords || key == ValueHash.NOTHING) {
      putValue(ValueHash.severalWords(key));
      keyOfSeveralWords = key;
    }
  }

  private void putValue(long hash) {
    isComplete = isComplete && values.add(hash) != DistinctHashes.Added.FULL;
  }

  /** Adds the marks; whether the values are complete. */
  private boolean finish() {
    isComplete = isComplete && collector.addMarksTo(values);
    return isComplete;
  }

  /** Passes the hashes to a sink; false if some are missing, or the index would be too large. */
  boolean passOn(int pageBytes, PageCodec.ValueSink sink) {
    int indexed = indexed(pageBytes);
    if (indexed == 0) {
      return false;
    }
    collector.list().setPageBytes(pageBytes);
    sink.accept(hashes, indexed, collector.list());
    return true;
  }

  /** Returns the number of hashes for an index; 0 if there are none. */
  private int indexed(int pageBytes) {
    if (!finish()) {
      return 0;
    }
    long most = (long) Byte.SIZE * pageBytes / INDEX_SHARE / INDEX_BITS_PER_VALUE;
    if (count() > most) {
      leaveWordsOut();
    }
    if (count() > most) {
      leaveTellingOut();
    }
    return !isComplete || count() > most ? 0 : collect();
  }

  private int count() {
    return values.count() + telling.count() + words.count();
  }

  /** Leaves the words out that are in no value's place. */
  private void leaveWordsOut() {
    words.clear(0);
    leaveOut();
  }

  /** Leaves the words out that are in a value's place: their fields have any value then. */
  private void leaveTellingOut() {
    telling.clear(0);
    for (int i = 0; i < fieldsByWords; i++) {
      putValue(ValueHash.other(keysByWords[i]));
    }
    leaveOut();
  }

  private void leaveOut() {
    collector.leaveOut();
    isComplete = finish();
  }

  private int collect() {
    if (hashes.length == 0) {
      hashes = new long[VALUES_MAX + ROOM + TELLING_MAX + WORDS_MAX];
    }
    values.copy(hashes, 0);
    telling.copy(hashes, values.count());
    words.copy(hashes, values.count() + telling.count());
    return count();
  }

  /** Writes a filter. Returns false and writes nothing if it is impossible or not worthwhile. */
  boolean write(int pageBytes, PageOutput out) {
    if (!finish()) {
      return false;
    }
    int blocksMax = Math.min(ValueFilter.BLOCKS_MAX, pageBytes / SHARE / ValueFilter.BLOCK_BYTES);
    if (blocks(BITS_PER_VALUE_MIN) > blocksMax) {
      leaveWordsOut();
    }
    if (blocks(BITS_PER_VALUE_MIN) > blocksMax) {
      leaveTellingOut();
    }
    int blocks = Math.min(blocks(BITS_PER_VALUE), blocksMax);
    if (!isComplete || blocks < blocks(BITS_PER_VALUE_MIN)) {
      return false;
    }
    int count = collect();
    ValueFilter.write(hashes, count, blocks, out);
    return true;
  }

  private int blocks(int bitsPerValue) {
    int blockBits = ValueFilter.BLOCK_BYTES * Byte.SIZE;
    return Math.max(1, (count() * bitsPerValue + blockBits - 1) / blockBits);
  }
}
