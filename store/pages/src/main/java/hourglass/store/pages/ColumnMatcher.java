package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.bytes.Spans;
import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies a filter to the columns of a page, by the values of its fields alone. The filter finds
 * the fields in a sample of each shape. Not thread-safe.
 *
 * <pre>
 *   shape   {"type":"   ","status":   ,"at":{"x":   }}
 *   sample  {"type":"","status":0,"at":{"x":0}}
 *                             ^ data.status is the second value
 * </pre>
 */
final class ColumnMatcher {
  private static final int NONE = -1;

  private static final byte UNKNOWN = 0;
  private static final byte MATCHING = 1;
  private static final byte OTHER = 2;

  private final FieldFilter filter;
  private final Values[] fields;
  private final boolean[] wanted;
  private final ShapeMatcher[] shapes;

  /** The samples of all shapes, followed by room for the values of one column. */
  private final byte[] bytes;

  private final int samplesEnd;
  private boolean allSure = true;
  private final int end;

  ColumnMatcher(PageFields page, FieldFilter filter, ColumnsReader.Buffers buffers) {
    this.filter = filter;
    this.fields = page.fields();
    Template[] templates = page.shapes();
    int sampleBytes = 0;
    for (Template template : templates) {
      sampleBytes += template.sampleBytes();
    }
    samplesEnd = sampleBytes;
    end = sampleBytes + page.payloadBytes() + 2 * ValueSpans.VALUES_MAX;
    bytes = buffers.values(end + 2 * ByteWords.SLACK); // the longest number, and what it overwrites
    shapes = new ShapeMatcher[templates.length];
    wanted = new boolean[fields.length];
    int at = 0;
    for (int s = 0; s < shapes.length; s++) {
      shapes[s] = new ShapeMatcher(templates[s], at);
      at = shapes[s].sampleEnd;
    }
    for (ShapeMatcher shape : shapes) {
      shape.prepare();
    }
  }

  /** Whether {@link #mayMatch} reads a field. */
  boolean reads(int field) {
    return wanted[field];
  }

  /** Whether all columns until now that may match do so for certain. */
  boolean allSure() {
    return allSure;
  }

  /** Whether the next column may match, which has this shape. */
  boolean mayMatch(int shape) {
    return shapes[shape].mayMatch();
  }

  /**
   * Applies the filter to all columns of a page with one shape. It writes the columns that may
   * match to {@code kept}, ascending.
   *
   * @return the number of columns that may match
   */
  int matching(int columns, int[] kept) {
    return shapes[0].matching(columns, kept);
  }

  /** Skips the next column without reading it. */
  void skip(int shape) {
    shapes[shape].skip();
  }

  private final class ShapeMatcher {
    private final Template template;

    /** The filter's field at the place of each value, or NONE. */
    private final int[] fieldAt;

    private final boolean[] quoted;
    private final int sampleEnd;

    /** The places of fields for the filter; null if every column may match. */
    private final @Nullable Spans places;

    /** The fields of values that are read, in order. */
    private int[] read = new int[0];

    private final List<ValueBounds> bounds = new ArrayList<>();

    /** The only value that is read, if it has a dictionary. */
    private @Nullable DictionaryValues only;

    /** The verdict on each entry of that dictionary; 0 if it was not judged yet. */
    private final byte[] verdicts = new byte[Dictionary.ENTRIES_MAX];

    ShapeMatcher(Template template, int sampleStart) {
      this.template = template;
      Template.Sample sample = template.sample(fields, bytes, sampleStart);
      sampleEnd = sample.to();
      quoted = sample.quoted();
      fieldAt = new int[template.fields.length];
      Spans found = filter.find(bytes, sampleStart, sampleEnd);
      // An array or object may contain a field that the sample lacks.
      places = found == null || sample.hasCompounds() && isAnyAbsent(found) ? null : found;
      Arrays.fill(fieldAt, NONE);
      if (places != null) {
        place(places, sample.starts());
      }
    }

    private static boolean isAnyAbsent(Spans places) {
      for (int f = 0; f < places.size(); f++) {
        if (!places.has(f)) {
          return true;
        }
      }
      return false;
    }

    private void place(Spans found, int[] starts) {
      for (int i = 0; i < starts.length; i++) {
        for (int f = 0; f < found.size(); f++) {
          if (found.has(f) && found.start(f) == starts[i] - (quoted[i] ? 1 : 0)) {
            fieldAt[i] = f;
            wanted[template.fields[i]] = true;
          }
        }
      }
    }

    /** Prepares to read values, once all wanted fields are known. */
    private void prepare() {
      int count = 0;
      read = new int[template.fields.length];
      for (int field : template.fields) {
        read[count] = field;
        count += wanted[field] ? 1 : 0;
      }
      read = Arrays.copyOf(read, count);
      boolean isBounded = places != null && filter.isBounded(places);
      for (int i = 0; i < fieldAt.length; i++) {
        Values values = fields[template.fields[i]];
        if (fieldAt[i] == NONE) {
          continue;
        }
        ValueBounds of =
            isBounded && template.hasOnce(template.fields[i])
                ? ValueBounds.of(filter, fieldAt[i], values, quoted[i])
                : null;
        if (of != null) {
          bounds.add(of);
        } else if (values instanceof DictionaryValues dictionary) {
          only = read.length == 1 ? dictionary : null;
        }
      }
    }

    private void skip() {
      for (int field : read) {
        fields[field].skip(1);
      }
    }

    /**
     * Finds the columns that may match, in a page with this shape alone, where values have the
     * numbers of their columns.
     */
    private int matching(int columns, int[] kept) {
      DictionaryValues dictionary = bounds.isEmpty() ? only : null;
      byte[] ofEntries = verdicts;
      int count = 0;
      for (int i = 0; i < columns; i++) {
        kept[count] = i;
        if (dictionary == null) {
          count += mayMatch() ? 1 : 0;
          continue;
        }
        byte verdict = ofEntries[dictionary.entry(i)];
        if (verdict == UNKNOWN) {
          dictionary.next = i;
          verdict = mayMatch() ? MATCHING : OTHER;
        }
        count += verdict == MATCHING ? 1 : 0;
      }
      return count;
    }

    private boolean mayMatch() {
      for (int i = 0; i < bounds.size(); i++) {
        if (!bounds.get(i).containNext()) {
          skip();
          return false;
        }
      }
      if (only == null) {
        return read();
      }
      int entry = only.entry();
      if (verdicts[entry] == UNKNOWN) {
        verdicts[entry] = read() ? MATCHING : OTHER;
      } else {
        only.next++;
      }
      return verdicts[entry] == MATCHING;
    }

    private boolean read() {
      int at = samplesEnd;
      for (int i = 0; i < fieldAt.length; i++) {
        Values values = fields[template.fields[i]];
        if (fieldAt[i] != NONE && places != null) {
          int start = at;
          if (quoted[i]) {
            bytes[at++] = '"';
          }
          at = values.write(bytes, at, end);
          if (at > end) {
            throw new CorruptException("page: values are longer than the payloads together");
          }
          if (quoted[i]) {
            bytes[at++] = '"';
          }
          places.set(fieldAt[i], start, at);
        } else if (wanted[template.fields[i]]) {
          values.skip(1);
        }
      }
      boolean mayMatch = places == null || filter.mayMatch(bytes, places);
      allSure = allSure && (!mayMatch || places != null && filter.surelyMatches(bytes, places));
      return mayMatch;
    }
  }
}
