package hourglass.ingest.protocols.otlp;

import org.jspecify.annotations.Nullable;

/**
 * The positions of the fields of one message, by slot. A decoder reuses one instance for all
 * messages of a schema. A field with its default value counts as absent, since protobuf does not
 * distinguish the two.
 */
final class MessageFields {
  final MessageSchema schema;

  /** The start of texts, ids and values, and of repeated fields in JSON, with the brackets. */
  final int[] from;

  final int[] to;
  final long[] numbers;

  /** The start of the message itself. */
  int messageFrom;

  int messageTo;

  /** How the message violates the protocol; or null. */
  @Nullable String problem;

  /**
   * The order of fields in the last message: element 0 is the slot of the first field, and element
   * {@code slot + 1} is the slot of the field after that of {@code slot}.
   */
  private final int[] following;

  private int last;

  private final @Nullable MessageFields[] children;
  private int present;

  MessageFields(MessageSchema schema) {
    this.schema = schema;
    int slots = schema.fields.size();
    from = new int[slots];
    to = new int[slots];
    numbers = new long[slots];
    children = new MessageFields[slots];
    following = new int[slots + 1];
    for (int slot = 0; slot < slots; slot++) {
      MessageSchema child = schema.fields.get(slot).schema;
      children[slot] = child == null ? null : new MessageFields(child);
    }
  }

  void clear(int at, int end) {
    messageFrom = at;
    messageTo = end;
    present = 0;
    problem = null;
    last = 0;
  }

  /** Returns the slot of the next field, if this message has the order of the one before. */
  int likely() {
    return following[last];
  }

  void passed(int slot) {
    following[last] = slot;
    last = slot + 1;
  }

  void range(int slot, int at, int end, boolean isPresent) {
    from[slot] = at;
    to[slot] = end;
    set(slot, isPresent);
  }

  void number(int slot, long number) {
    numbers[slot] = number;
    set(slot, number != 0);
  }

  private void set(int slot, boolean isPresent) {
    present = isPresent ? present | 1 << slot : present & ~(1 << slot);
  }

  boolean has(int slot) {
    return (present & 1 << slot) != 0;
  }

  boolean isEmpty() {
    return present == 0;
  }

  /** Returns a number; 0 if it is absent. */
  long number(int slot) {
    return has(slot) ? numbers[slot] : 0;
  }

  /** Returns the fields for the messages in a slot, one after the other. */
  MessageFields child(int slot) {
    MessageFields child = children[slot];
    if (child == null) {
      throw new IllegalArgumentException("slot " + slot + " holds no message");
    }
    return child;
  }
}
