package hourglass.ingest.decode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The field names that events are searched for, by slot. Immutable. */
final class FieldNames {
  static final int TYPE = 0;
  static final int TIME = 1;
  static final int ID = 2;

  // The fields of CloudEvents, whatever the mapping is; those that must be there are first.
  static final int CE_SPECVERSION = 3;
  static final int CE_ID = 4;
  static final int CE_SOURCE = 5;
  static final int CE_TYPE = 6;
  static final int CE_SUBJECT = 10;
  static final int CE_DATA = 11;
  static final int CE_DATA_BASE64 = 12;

  private static final List<String> CLOUDEVENT =
      List.of(
          "specversion",
          "id",
          "source",
          "type",
          "time",
          "datacontenttype",
          "dataschema",
          "subject",
          "data",
          "data_base64");

  static final int SLOTS = CE_SPECVERSION + CLOUDEVENT.size();

  private static final FieldNames DEFAULT = new FieldNames(mapped(FieldMapping.DEFAULT));

  private final byte[][] names;
  private final long[] prefixes;
  private long lengths;
  private int paths;

  private FieldNames(Stream<String> texts) {
    names = texts.map(text -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
    prefixes = new long[names.length];
    for (int slot = 0; slot < names.length; slot++) {
      prefixes[slot] = Body.prefix(Body.padded(names[slot]), 0, names[slot].length);
      lengths |= 1L << names[slot].length;
      paths |= text(slot).indexOf('.') < 0 ? 0 : 1 << slot;
    }
  }

  static FieldNames of(FieldMapping mapping, boolean cloudEvents) {
    if (cloudEvents) {
      return new FieldNames(Stream.concat(mapped(mapping), CLOUDEVENT.stream()));
    }
    return mapping.equals(FieldMapping.DEFAULT) ? DEFAULT : new FieldNames(mapped(mapping));
  }

  private static Stream<String> mapped(FieldMapping mapping) {
    return Stream.of(mapping.typeField(), mapping.timeField(), mapping.idField());
  }

  byte[] name(int slot) {
    return names[slot];
  }

  String text(int slot) {
    return new String(names[slot], StandardCharsets.UTF_8);
  }

  /** The slots whose names have dots, one bit each. */
  int paths() {
    return paths;
  }

  /** Whether any name may have this length; false for most keys. */
  boolean mayHave(int length) {
    return (lengths >>> length & 1) != 0;
  }

  /** One bit for each slot named {@code [from, to)}; eight bytes must be readable there. */
  int slots(byte[] b, int from, int to) {
    int length = to - from;
    long prefix = Body.prefix(b, from, length);
    int slots = 0;
    for (int slot = 0; slot < names.length; slot++) {
      byte[] name = names[slot];
      if (name.length == length
          && prefixes[slot] == prefix
          && (length <= 8 || Arrays.equals(name, 8, length, b, from + 8, to))) {
        slots |= 1 << slot;
      }
    }
    return slots;
  }
}
