package hourglass.store.embedded.codec;

import hourglass.bucketing.TimeUuid;
import hourglass.store.CorruptException;
import java.util.zip.CRC32C;

/**
 * Reads and checks the header of a page: the public fields, and those that only the codec needs.
 */
record HeaderReader(PageHeader facts, int layout, int length, int bodyChecksum, int bodyLength) {

  static HeaderReader read(byte[] page) {
    int length = checkedLength(page);
    PageInput in = new PageInput(page, HeaderLayout.VERSION_AT, length);
    int version = in.getByte();
    if (version != HeaderLayout.VERSION) {
      throw new CorruptException(
          "page: version "
              + version
              + " is unknown, this program reads version "
              + HeaderLayout.VERSION
              + "; a newer one wrote it");
    }
    int layout = in.getByte();
    in.skip(2);
    int checksum = in.getInt();
    int bodyChecksum = in.getInt();
    int bodyLength = number("length of the body", in, 0, Integer.MAX_VALUE - length);
    PageHeader facts = facts(version, checksum, in);
    return new HeaderReader(facts, layout, length, bodyChecksum, bodyLength);
  }

  /** The header's length, after a check of its checksum. */
  private static int checkedLength(byte[] page) {
    if (page.length < HeaderLayout.FIXED_BYTES) {
      throw new CorruptException("page: " + page.length + " bytes are too few for a header");
    }
    PageInput in = new PageInput(page, 0, HeaderLayout.FIXED_BYTES);
    if (in.getInt() != HeaderLayout.MAGIC) {
      throw new CorruptException("page: does not begin with \"HGpg\"");
    }
    in.skip(HeaderLayout.HEADER_LENGTH_AT - HeaderLayout.VERSION_AT);
    int length = in.getByte() | in.getByte() << 8;
    if (length < HeaderLayout.FIXED_BYTES || length > page.length) {
      throw new CorruptException(
          "page: a header of " + length + " bytes in a page of " + page.length);
    }
    if (in.getInt() != HeaderWriter.checksum(new CRC32C(), page, length)) {
      throw new CorruptException("page: the header does not match its checksum");
    }
    return length;
  }

  /** Checks the length and checksum of the body. */
  void checkBody(byte[] page, CRC32C crc) {
    if (page.length - length != bodyLength) {
      throw new CorruptException(
          "page: " + page.length + " bytes, not " + (length + (long) bodyLength));
    }
    crc.reset();
    crc.update(page, length, bodyLength);
    if ((int) crc.getValue() != bodyChecksum) {
      throw new CorruptException("page: the body does not match its checksum");
    }
  }

  private static PageHeader facts(int version, int checksum, PageInput in) {
    int count = number("count", in, 1, PageLimits.COLUMNS_MAX);
    int payloadBytes = number("payload bytes", in, 0, PageLimits.PAYLOAD_BYTES_MAX);
    TimeUuid first = name("first name", in);
    TimeUuid last = name("last name", in);
    int[] minutes = minutes(HeaderWriter.minuteOfHour(first.ticks()), count, in);
    in.finish();
    return new PageHeader(version, count, payloadBytes, first, last, minutes, checksum);
  }

  private static int number(String what, PageInput in, int min, int max) {
    int value = in.getInt();
    if (value < min || value > max) {
      throw new CorruptException(
          "page: " + what + ": " + value + " is not within " + min + " and " + max);
    }
    return value;
  }

  private static TimeUuid name(String what, PageInput in) {
    long ticks = in.getLong();
    try {
      return new TimeUuid(ticks, in.getLong());
    } catch (IllegalArgumentException e) {
      throw new CorruptException("page: " + what + ": " + e.getMessage(), e);
    }
  }

  private static int[] minutes(int expectedFirst, int count, PageInput in) {
    int[] minutes = new int[60];
    int first = in.getByte();
    int many = in.getByte();
    if (first != expectedFirst || first + many > 60) {
      throw new CorruptException("page: " + many + " minutes from minute " + first);
    }
    int left = count;
    for (int i = first; i < first + many; i++) {
      minutes[i] = in.getCount("columns of a minute", left);
      left -= minutes[i];
    }
    return minutes;
  }
}
