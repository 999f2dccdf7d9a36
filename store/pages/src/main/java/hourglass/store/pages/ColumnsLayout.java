package hourglass.store.pages;

import hourglass.store.pages.runs.Indexes;

/**
 * The body of a page with payloads split into fields.
 *
 * <pre>
 *   +---------------+-------------+-----------------+----------------------+------------------+
 *   | names         | description | entries apart:  | shape of each column | data of field 0, |
 *   | {@link ColumnNames} | a frame     | a frame for     | {@link Indexes}      | 1, 2 ...         |
 *   |               |             | each such field |                      |                  |
 *   +---------------+-------------+-----------------+----------------------+------------------+
 *
 *   description   shapes (varint), fields (varint), each shape, each field
 *   shape         values (varint); for each value: length of the part before it (varint), the
 *                 part, its field (varint); length of the last part (varint), the part
 *   field         kind (1) and what the kind needs:
 *
 *   kind          in the description                           data
 *   CONSTANT      length (varint), the value                   none
 *   DICTIONARY    entries (varint); length and bytes of each   {@link Indexes} of entries
 *   TEXT          nothing                                      lengths; a frame of the values
 *   DECIMAL       {@link DecimalValues}                         numbers
 *   TIME          {@link TimeValues}                            numbers
 *   HEX           {@link HexValues}                             numbers, for every 16 digits
 *   PATTERN       patterns (varint); length and bytes of each  {@link Indexes} of patterns; the
 *                 of them, see {@link PatternText}             first numbers, second ... eighth
 *
 *   TEXT_WITHOUT_ESCAPES  nothing; no value has a backslash    as TEXT
 *   DICTIONARY_APART  entries (varint)                         as DICTIONARY; {@link Entries}
 *   PATTERN_APART     patterns (varint), the most numbers of   as PATTERN; {@link Entries}
 *                     one (varint)
 * </pre>
 *
 * A number is stored as its difference from a prediction: the column's own time in the number's
 * unit, or 0.
 */
final class ColumnsLayout {
  static final int CONSTANT = 0;
  static final int DICTIONARY = 1;
  static final int TEXT = 2;
  static final int DECIMAL = 3;
  static final int TIME = 4;
  static final int HEX = 5;
  static final int PATTERN = 6;

  /** Texts none of which has a backslash. */
  static final int TEXT_WITHOUT_ESCAPES = 7;

  // These are DICTIONARY and PATTERN with the entries apart from the description.
  static final int DICTIONARY_APART = 8;
  static final int PATTERN_APART = 9;

  /**
   * The most bytes of a field's entries in the description. More bytes lie apart, since most reads
   * of the page do not need them.
   */
  static final int ENTRIES_INSIDE_BYTES_MAX = 512;

  /** The most shapes of a page; with more, a split into columns is not worthwhile. */
  static final int SHAPES_MAX = 64;

  /**
   * The least number of values for each entry of a dictionary; with fewer, it is not worthwhile.
   */
  static final int VALUES_PER_ENTRY_MIN = 3;

  static final int FIELDS_MAX = SHAPES_MAX * ValueSpans.VALUES_MAX;

  /**
   * The least length of the part before a value: a key, a colon, and a comma or bracket. A value
   * that is the whole payload has no such part.
   */
  static final int PART_BYTES_MIN = 4;

  /**
   * The least number of columns for each shape; with fewer, the shapes cost more than they save.
   */
  static final int COLUMNS_PER_SHAPE_MIN = 8;

  private ColumnsLayout() {}
}
