package hourglass.query.count;

import hourglass.bytes.JsonPath;
import hourglass.query.Group;
import hourglass.query.Grouping;
import hourglass.query.encode.CsvTable;
import hourglass.query.where.json.ScalarText;
import hourglass.store.Columns;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValues;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the keys of groups; events of one group have equal keys. Used by one thread at a time.
 *
 * <pre>
 * key    one for each part: length 2 bytes | type in UTF-8, or JSON in canonical spelling
 *        without a value:   kind 2 bytes
 * </pre>
 */
final class GroupKeys {
  /**
   * The kinds without a value. Numbers from {@code KINDS} on, which exceed all lengths, stand for
   * them.
   */
  private static final List<Group.Kind> LACKING =
      List.of(Group.Kind.ABSENT, Group.Kind.NESTED, Group.Kind.TOO_LONG);

  private static final int KINDS = 0xff00;

  /**
   * The most bytes of a part: its length, and a value in which escapes need six bytes instead of
   * two, or numbers have no exponent.
   */
  private static final int PART_BYTES_MAX = 2 + 3 * ValueBatch.VALUE_BYTES_MAX + 32;

  private final byte[] type;

  /** The path of each part; null for the type. */
  private final List<@Nullable JsonPath> paths = new ArrayList<>();

  private final List<FieldFinder> fields = new ArrayList<>();

  private final ByteBuffer key;

  GroupKeys(Grouping grouping, String type, BooleanSupplier gone) {
    this.type = type.getBytes(StandardCharsets.UTF_8);
    for (String by : grouping.by()) {
      if (by.equals(Grouping.TYPE)) {
        paths.add(null);
      } else {
        paths.add(new JsonPath(path(by), gone));
        fields.add(new PathFinder(path(by), gone));
      }
    }
    key = ByteBuffer.allocate(PART_BYTES_MAX * Math.max(1, paths.size()));
  }

  /** Returns the path of a field from the root of the payload. */
  static String path(String field) {
    return field.substring(CsvTable.PATHS.length());
  }

  /** Returns the key of the group of column {@code i}; valid until the next call. */
  ByteBuffer of(Columns columns, int i) {
    byte[] bytes = columns.bytes();
    int from = columns.offset(i);
    key.clear();
    for (JsonPath path : paths) {
      if (path == null) {
        put(type, 0, type.length);
      } else if (path.find(bytes, from, from + columns.length(i))) {
        putValue(bytes, path.from(), path.to());
      } else {
        put(Group.Kind.ABSENT);
      }
    }
    return key.flip();
  }

  /**
   * Returns the key of the group of entry {@code i} of the values of {@link #fields}; valid until
   * the next call.
   */
  ByteBuffer of(FieldValues values, int i) {
    key.clear();
    int field = 0;
    for (JsonPath path : paths) {
      if (path == null) {
        put(type, 0, type.length);
        continue;
      }
      int from = values.start(i, field);
      int to = values.end(i, field++);
      if (to > from) {
        putValue(values.bytes(), from, to);
      } else {
        put(Group.Kind.ABSENT);
      }
    }
    return key.flip();
  }

  /** Returns the key of the type's group. Only called if the grouping has no fields. */
  ByteBuffer ofType() {
    key.clear();
    put(type, 0, type.length);
    return key.flip();
  }

  /** Returns the fields of the parts, in order. */
  List<FieldFinder> fields() {
    return fields;
  }

  private void putValue(byte[] json, int from, int to) {
    if (!ScalarText.begins(json[from])) {
      put(Group.Kind.NESTED);
    } else if (to - from > ValueBatch.VALUE_BYTES_MAX) {
      put(Group.Kind.TOO_LONG);
    } else if (ScalarText.isSpelled(json, from, to)) {
      put(json, from, to - from);
    } else {
      byte[] spelled = ScalarText.of(json, from, to);
      put(spelled, 0, spelled.length);
    }
  }

  private void put(byte[] text, int from, int length) {
    key.putShort((short) length).put(text, from, length);
  }

  private void put(Group.Kind kind) {
    key.putShort((short) (KINDS + LACKING.indexOf(kind)));
  }

  /** Returns the group that has a key. */
  static Group group(Grouping grouping, byte[] ofGroup) {
    ByteBuffer key = ByteBuffer.wrap(ofGroup);
    List<Group.Part> parts = new ArrayList<>();
    for (String by : grouping.by()) {
      int length = Short.toUnsignedInt(key.getShort());
      if (length >= KINDS) {
        parts.add(new Group.Part(by, LACKING.get(length - KINDS), ""));
        continue;
      }
      String text = new String(ofGroup, key.position(), length, StandardCharsets.UTF_8);
      key.position(key.position() + length);
      Group.Kind kind = by.equals(Grouping.TYPE) ? Group.Kind.TYPE : Group.Kind.VALUE;
      parts.add(new Group.Part(by, kind, text));
    }
    return Group.of(parts);
  }
}
