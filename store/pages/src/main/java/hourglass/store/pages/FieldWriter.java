package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.store.Columns;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.Indexes;
import hourglass.store.pages.runs.NumberRuns;
import hourglass.store.pages.runs.PageOutput;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Chooses the kind of a field by its values, describes the field, and writes its data. Not
 * thread-safe.
 */
final class FieldWriter {
  /** The seconds from 1970 until 2000, the first year that a row can have. */
  private static final long TIMES_MIN = 946_684_800L;

  /**
   * The divisor of the count of numbers that gives the least number of repeats among common
   * numbers.
   */
  private static final int REPEATS_SHARE = 8;

  /** The most units of their span for each number of a page whose numbers are close together. */
  private static final int CLOSE_UNITS = 64;

  private final CompressedBytes frames;
  private final NumberRuns numbersWriter;
  private final ShapeSplitter splitter;
  private final ValueFilterWriter filter;
  private final ColumnsWriter.Sections sections;
  private final Dictionary dictionary = new Dictionary();
  private final PatternText patterns = new PatternText();

  /** Bytes that are collected before they are compressed. */
  private final PageOutput unpacked = new PageOutput();

  private byte[] entries = new byte[0];
  private long[] numbers = new long[0];
  private long[] ticksOf = new long[0];
  private int[] scales = new int[0];

  FieldWriter(
      CompressedBytes frames,
      NumberRuns numbersWriter,
      ShapeSplitter splitter,
      ValueFilterWriter filter,
      ColumnsWriter.Sections sections) {
    this.frames = frames;
    this.numbersWriter = numbersWriter;
    this.splitter = splitter;
    this.filter = filter;
    this.sections = sections;
  }

  /** Writes the values of a field in the kind that suits them best. */
  void write(int number, Columns columns) {
    Field field = splitter.field(number);
    byte[] bytes = columns.bytes();
    numbers = CompressedBytes.room(numbers, field.count());
    scales = CompressedBytes.room(scales, field.count());
    if (isConstant(field, bytes)) {
      sections.description().putByte(ColumnsLayout.CONSTANT);
      sections.description().putVarint(field.length(0));
      sections.description().putBytes(bytes, field.start(0), field.length(0));
      filter.add(field, bytes, field.start(0), field.end(0));
    } else if (collectEntries(field, bytes)) {
      describe(dictionary, ColumnsLayout.DICTIONARY, ColumnsLayout.DICTIONARY_APART);
      dictionary.addTo(filter, field);
      Indexes.write(entries, field.count(), dictionary.entries(), frames, sections.data());
    } else if (!writeTimes(number, columns)
        && !writeDecimals(number, columns)
        && !writeHex(field, bytes)) {
      filter.addTexts(field, bytes);
      if (!writePatterns(field, bytes)) {
        writeText(field, bytes);
      }
    }
  }

  /** Describes entries, and returns whether they lie apart. */
  private boolean describe(Dictionary of, int kind, int kindApart) {
    boolean areApart = of.areApart();
    sections.description().putByte(areApart ? kindApart : kind);
    sections.description().putVarint(of.entries());
    if (areApart) {
      unpacked.clear();
      of.write(unpacked);
      frames.write(unpacked.array(), 0, unpacked.size(), sections.entriesApart());
    } else {
      of.write(sections.description());
    }
    return areApart;
  }

  private static boolean isConstant(Field field, byte[] bytes) {
    int start = field.start(0);
    int length = field.length(0);
    for (int i = 1; i < field.count(); i++) {
      if (field.length(i) != length
          || !ByteWords.equal(bytes, start, bytes, field.start(i), length)) {
        return false;
      }
    }
    return true;
  }

  private boolean collectEntries(Field field, byte[] bytes) {
    dictionary.clear();
    entries = CompressedBytes.room(entries, field.count());
    for (int i = 0; i < field.count(); i++) {
      int entry = dictionary.find(bytes, field.start(i), field.length(i));
      if (entry < 0) {
        return false;
      }
      entries[i] = (byte) entry;
    }
    return dictionary.entries() * ColumnsLayout.VALUES_PER_ENTRY_MIN <= field.count();
  }

  private boolean writeTimes(int number, Columns columns) {
    Field field = splitter.field(number);
    TimeValues time = TimeValues.guess(field, columns.bytes());
    if (time == null || !time.parse(field, columns.bytes(), numbers)) {
      return false;
    }
    sections.description().putByte(ColumnsLayout.TIME);
    time.describe(sections.description());
    filter.addTimes(field, time.exponent());
    fillTicks(number, columns);
    subtractTimes(field.count(), time.exponent());
    numbersWriter.write(numbers, field.count(), sections.data());
    return true;
  }

  private boolean writeDecimals(int number, Columns columns) {
    Field field = splitter.field(number);
    DecimalValues decimal = DecimalValues.parse(field, columns.bytes(), numbers, scales);
    if (decimal == null) {
      return false;
    }
    sections.description().putByte(ColumnsLayout.DECIMAL);
    decimal.exponent = exponent(number, columns, decimal.scaleMax());
    decimal.describe(sections.description());
    if (decimal.exponent < 0 && !areCommon(field.count())) {
      filter.addNumbers(field, columns.bytes(), decimal.scaleMax() == 0);
    } else {
      filter.addCloseNumbers(field);
    }
    if (decimal.exponent >= 0) {
      subtractTimes(field.count(), decimal.exponent);
    }
    numbersWriter.write(numbers, field.count(), sections.data());
    return true;
  }

  /**
   * Whether the numbers repeat and are close together, as durations are. Then most pages contain
   * any of them.
   */
  private boolean areCommon(int count) {
    long least = Arrays.stream(numbers, 0, count).min().orElse(0);
    long greatest = Arrays.stream(numbers, 0, count).max().orElse(0);
    long span = greatest - least;
    if (span < 0 || span / CLOSE_UNITS >= count) {
      return false;
    }
    BitSet distinct = new BitSet();
    for (int i = 0; i < count; i++) {
      distinct.set((int) (numbers[i] - least));
    }
    return distinct.cardinality() < count - count / REPEATS_SHARE;
  }

  /** The unit of the numbers if they are times since 1970, else -1. */
  private int exponent(int number, Columns columns, int scale) {
    if (numbers[0] < TIMES_MIN) {
      return -1;
    }
    fillTicks(number, columns);
    return TimePrediction.exponentNear(ticksOf[0], numbers[0], scale);
  }

  private void fillTicks(int number, Columns columns) {
    ticksOf = CompressedBytes.room(ticksOf, splitter.field(number).count());
    splitter.fillTicks(number, columns, ticksOf);
  }

  private void subtractTimes(int count, int exponent) {
    for (int i = 0; i < count; i++) {
      numbers[i] -= TimePrediction.of(ticksOf[i], exponent);
    }
  }

  private boolean writeHex(Field field, byte[] bytes) {
    HexValues hex = HexValues.guess(field, bytes);
    if (hex == null) {
      return false;
    }
    int before = sections.data().size();
    for (int n = 0; n < hex.numbers(); n++) {
      if (!hex.parse(field, bytes, n, numbers)) {
        sections.data().advance(before - sections.data().size());
        return false;
      }
      numbersWriter.write(numbers, field.count(), sections.data());
    }
    sections.description().putByte(ColumnsLayout.HEX);
    hex.describe(sections.description());
    filter.addHex(field, bytes, hex.areUuids());
    return true;
  }

  private boolean writePatterns(Field field, byte[] bytes) {
    if (!patterns.parse(field, bytes)) {
      return false;
    }
    if (describe(patterns.patterns(), ColumnsLayout.PATTERN, ColumnsLayout.PATTERN_APART)) {
      sections.description().putVarint(patterns.numbersMax());
    }
    patterns.write(frames, numbersWriter, field.count(), sections.data());
    return true;
  }

  private void writeText(Field field, byte[] bytes) {
    for (int i = 0; i < field.count(); i++) {
      numbers[i] = field.length(i);
    }
    numbersWriter.write(numbers, field.count(), sections.data());
    unpacked.clear();
    for (int i = 0; i < field.count(); i++) {
      unpacked.putBytes(bytes, field.start(i), field.length(i));
    }
    boolean hasEscape = ByteWords.find((byte) '\\', unpacked.array(), 0, unpacked.size()) >= 0;
    sections
        .description()
        .putByte(hasEscape ? ColumnsLayout.TEXT : ColumnsLayout.TEXT_WITHOUT_ESCAPES);
    frames.write(unpacked.array(), 0, unpacked.size(), sections.data());
  }
}
