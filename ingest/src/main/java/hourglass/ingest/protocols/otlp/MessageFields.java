package hourglass.ingest.protocols.otlp;

import org.jspecify.annotations.Nullable;

/**
 * Where the fields of one message are, by slot. A decoder reuses one for all messages of a schema.
 * Fields with their default, which protobuf does not distinguish from absent ones, are not there.
 */
final class MessageFields {
  final MessageSchema schema;

  /** Of texts, ids and values; of repeated fields in JSON, with the brackets. */
  final int[] from;

  final int[] to;
  final long[] numbers;

  /** Of the message itself. */
  int messageFrom;

  int messageTo;

  /** Why the message is against the protocol; or null. */
  @Nullable String problem;

  /** The slot of the field that came behind that of a slot, in the last message; 0 is the first. */
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

  /** The slot of the next field, if this message has the order of the one before. */
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

  /** 0 for an absent number. */
  long number(int slot) {
    return has(slot) ? numbers[slot] : 0;
  }

  /** For the messages in a slot, one after the other. */
  MessageFields child(int slot) {
    MessageFields child = children[slot];
    if (child == null) {
      throw new IllegalArgumentException("slot " + slot + " holds no message");
    }
    return child;
  }
}
