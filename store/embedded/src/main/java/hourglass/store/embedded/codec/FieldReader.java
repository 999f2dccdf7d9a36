package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValues;
import hourglass.store.embedded.codec.Values.DictionaryValues;

/**
 * Reads the values of one field of a page, without names and other fields. The field is found in a
 * sample of each shape; see {@link ColumnMatcher}. Not thread-safe.
 */
final class FieldReader {
  private final Values[] fields;
  private final int[] counts;

  /** For each field of the page: of how many columns it is the wanted one. */
  private final int[] wanted;

  private final boolean[] quoted;
  private final FieldValues found = new FieldValues();
  private final byte[] bytes;
  private final int end;
  private boolean isApart = true;

  /**
   * @param columnsOf each shape
   * @param counts of the values of each field
   */
  FieldReader(
      Template[] shapes,
      int[] columnsOf,
      Values[] fields,
      int[] counts,
      FieldFinder finder,
      int payloadBytes,
      MatchBuffers buffers) {
    this.fields = fields;
    this.counts = counts;
    wanted = new int[fields.length];
    quoted = new boolean[fields.length];
    int room = payloadBytes;
    for (Template shape : shapes) {
      room = Math.max(room, shape.sampleBytes());
    }
    end = room + 2; // quotes
    bytes = buffers.values(end + 2 * ByteWords.SLACK);
    for (int s = 0; s < shapes.length && isApart; s++) {
      isApart = columnsOf[s] == 0 || find(shapes[s], columnsOf[s], finder);
    }
    for (int f = 0; f < fields.length; f++) {
      isApart &= wanted[f] == 0 || wanted[f] == counts[f];
    }
  }

  /** Whether the values of the page's fields tell. If not, payloads must be put together. */
  boolean isApart() {
    return isApart;
  }

  boolean reads(int field) {
    return wanted[field] > 0;
  }

  private boolean find(Template shape, int columns, FieldFinder finder) {
    Template.Sample sample = shape.sample(fields, bytes, 0);
    int[] place = finder.find(bytes, sample.from(), sample.to());
    // An array or object may have the field inside, where the sample has a 0.
    boolean isHidden = sample.hasCompounds() && (sample.isWhole() || !finder.isOfPayload());
    if (place == null || isHidden) {
      return false;
    }
    if (place[1] == 0) {
      found.addAbsent(columns);
      return true;
    }
    for (int i = 0; i < shape.fields.length; i++) {
      if (place[0] == sample.starts()[i] - (sample.quoted()[i] ? 1 : 0)) {
        wanted[shape.fields[i]] += columns;
        quoted[shape.fields[i]] = sample.quoted()[i];
        return true;
      }
    }
    found.add(bytes, place[0], place[1], columns); // a constant, or an object with values inside
    return true;
  }

  /** Once all wanted fields are loaded. */
  FieldValues read() {
    for (int f = 0; f < fields.length; f++) {
      if (wanted[f] > 0 && fields[f] instanceof DictionaryValues dictionary) {
        addEntries(dictionary, counts[f], quoted[f]);
      } else if (wanted[f] > 0) {
        for (int i = 0; i < counts[f]; i++) {
          add(fields[f], quoted[f], 1);
        }
      }
    }
    return found;
  }

  private void addEntries(DictionaryValues dictionary, int count, boolean isQuoted) {
    int[] times = new int[Dictionary.ENTRIES_MAX];
    for (int i = 0; i < count; i++, dictionary.skip(1)) {
      times[dictionary.entry()]++;
    }
    dictionary.rewind();
    for (int i = 0; i < count; i++) {
      int entry = dictionary.entry();
      if (times[entry] > 0) {
        add(dictionary, isQuoted, times[entry]);
        times[entry] = 0;
      } else {
        dictionary.skip(1);
      }
    }
  }

  private void add(Values values, boolean isQuoted, int count) {
    int at = 0;
    if (isQuoted) {
      bytes[at++] = '"';
    }
    at = values.write(bytes, at, end - 1);
    if (at > end - 1) {
      throw new CorruptException("page: values are longer than the payloads together");
    }
    if (isQuoted) {
      bytes[at++] = '"';
    }
    found.add(bytes, 0, at, count);
  }
}
