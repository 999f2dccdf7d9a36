package hourglass.store.embedded.codec;

/**
 * The offsets of a page's header fields; numbers are little-endian.
 *
 * <pre>
 *  0        4       5       6        8          12         16         20      24
 *  +--------+-------+-------+--------+----------+----------+----------+-------+
 *  | "HGpg" |version|layout | header | checksum | checksum | length   | count |
 *  |        |       |       | length | of header| of body  | of body  |       |
 *  +--------+-------+-------+--------+----------+----------+----------+-------+
 *  24        28           36          44           52          60       61     62
 *  +---------+------------+-----------+------------+-----------+--------+------+----------
 *  | payload | first name:| lower     | last name: | lower     | first  | how  | columns of
 *  | bytes   | ticks      | half      | ticks      | half      | minute | many | each, varints
 *  +---------+------------+-----------+------------+-----------+--------+------+----------
 * </pre>
 *
 * Magic, version, the header's length and its checksum keep their places in every later version. So
 * a page of another version is not mistaken for a damaged one.
 */
final class HeaderLayout {
  static final int MAGIC = 'H' | 'G' << 8 | 'p' << 16 | 'g' << 24;
  static final int VERSION = 1;

  static final int VERSION_AT = 4;
  static final int LAYOUT_AT = 5;
  static final int HEADER_LENGTH_AT = 6;

  /** CRC32C of the header without these four bytes; covers the body's checksum. */
  static final int CHECKSUM_AT = 8;

  static final int BODY_AT = 12;
  static final int FIXED_BYTES = 62;

  /** With the counts of 60 minutes, three bytes each. */
  static final int BYTES_MAX = FIXED_BYTES + 60 * 3;

  /** Whole payloads in sequence: {@link RowsLayout}. */
  static final int ROWS = 0;

  /** Payloads split into fields: {@link ColumnsLayout}. */
  static final int COLUMNS = 1;

  private HeaderLayout() {}
}
