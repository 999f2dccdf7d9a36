package hourglass.ingest.decode;

import hourglass.bytes.ByteWords;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The names of the fields that are searched for in events, by slot. Immutable. */
final class FieldNames {
  static final int TYPE = 0;
  static final int TIME = 1;
  static final int ID = 2;

  // These are the fields of CloudEvents, whatever the mapping is. The required ones are first.
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

  /** The first slot of the fields that are read where {@link #TIME} is absent. */
  static final int OTHER_TIME = CE_SPECVERSION + CLOUDEVENT.size();

  static final int SLOTS = OTHER_TIME + FieldMapping.OTHER_TIME_FIELDS_MAX;

  /** One bit for each of the fields that must not occur twice in an event. */
  static final int ONCE = (1 << OTHER_TIME) - 1;

  /** The name of a field that is not read. No key equals it. */
  private static final byte[] NO_NAME = {};

  static final FieldNames DEFAULT = new FieldNames(FieldMapping.DEFAULT, false);

  /** The mapping that gives the names; null for a list of names. */
  private final @Nullable FieldMapping mapping;

  private final boolean ofCloudEvents;
  private final byte[][] names;
  private final long[] prefixes;
  private long lengths;
  private int paths;

  private FieldNames(FieldMapping mapping, boolean ofCloudEvents) {
    this(mapping, ofCloudEvents, texts(mapping, ofCloudEvents));
  }

  private FieldNames(
      @Nullable FieldMapping mapping, boolean ofCloudEvents, List<@Nullable String> texts) {
    this.mapping = mapping;
    this.ofCloudEvents = ofCloudEvents;
    names = texts.stream().map(FieldNames::utf8).toArray(byte[][]::new);
    prefixes = new long[names.length];
    for (int slot = 0; slot < names.length; slot++) {
      if (names[slot] == NO_NAME) {
        continue;
      }
      prefixes[slot] = ByteWords.head(Body.padded(names[slot]), 0, names[slot].length);
      lengths |= 1L << names[slot].length;
      paths |= text(slot).indexOf('.') < 0 ? 0 : 1 << slot;
    }
  }

  private static List<@Nullable String> texts(FieldMapping mapping, boolean ofCloudEvents) {
    List<@Nullable String> texts = new ArrayList<>();
    texts.add(mapping.typeField());
    texts.add(mapping.timeField());
    texts.add(mapping.idField());
    if (ofCloudEvents) {
      texts.addAll(CLOUDEVENT);
    } else if (!mapping.otherTimeFields().isEmpty()) {
      texts.addAll(Collections.nCopies(CLOUDEVENT.size(), null));
      texts.addAll(mapping.otherTimeFields());
    }
    return texts;
  }

  /** Returns the names with their slots in the order given. */
  static FieldNames of(List<String> names) {
    return new FieldNames(null, false, new ArrayList<>(names));
  }

  /** Returns these names if they are those of the mapping, or else new ones. */
  FieldNames with(FieldMapping wanted, boolean areCloudEvents) {
    return ofCloudEvents == areCloudEvents && wanted.equals(mapping)
        ? this
        : new FieldNames(wanted, areCloudEvents);
  }

  boolean areOfCloudEvents() {
    return ofCloudEvents;
  }

  private static byte[] utf8(@Nullable String text) {
    return text == null ? NO_NAME : text.getBytes(StandardCharsets.UTF_8);
  }

  byte[] name(int slot) {
    return names[slot];
  }

  String text(int slot) {
    return new String(names[slot], StandardCharsets.UTF_8);
  }

  /** Returns the slots whose names contain dots, one bit each. */
  int paths() {
    return paths;
  }

  /** Returns whether any name may have this length; false for most keys. */
  boolean mayHave(int length) {
    return (lengths >>> length & 1) != 0;
  }

  /** Returns one bit for each slot named {@code [from, to)}. Eight bytes must be readable there. */
  int slots(byte[] b, int from, int to) {
    int length = to - from;
    long prefix = ByteWords.head(b, from, length);
    int slots = 0;
    for (int slot = 0; slot < names.length; slot++) {
      byte[] name = names[slot];
      if (name.length == length
          && name != NO_NAME
          && prefixes[slot] == prefix
          && (length <= 8 || Arrays.equals(name, 8, length, b, from + 8, to))) {
        slots |= 1 << slot;
      }
    }
    return slots;
  }
}
