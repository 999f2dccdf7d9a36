package hourglass.bytes;

import java.nio.charset.StandardCharsets;

/**
 * Writes one JSON object after another. It adds the commas; the caller pairs the brackets. Not
 * thread-safe.
 */
public final class JsonWriter {
  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private final JsonText out;

  /** Whether the next key or element follows another one. */
  private boolean follows;

  /** A key of an object, encoded once. */
  public static final class Key {
    private final byte[] text;

    private Key(byte[] text) {
      this.text = text;
    }

    /** Returns the key of a name that needs no escapes. */
    public static Key of(String name) {
      return new Key(('"' + name + "\":").getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Creates a writer with the arguments of {@link JsonText#JsonText(JsonText.Room, int, int)}. */
  public JsonWriter(JsonText.Room room, int capacity, int bytesMax) {
    this.out = new JsonText(room, capacity, bytesMax);
  }

  public byte[] bytes() {
    return out.bytes();
  }

  public int length() {
    return out.length();
  }

  /** Forgets the bytes after {@code end}, and begins another value there. */
  public void cut(int end) {
    out.cut(end);
    follows = false;
  }

  /** Writes zeros, which stop a scanner. */
  public void pad(int count) {
    out.pad(count);
    follows = false;
  }

  public JsonWriter beginObject() {
    return begin('{');
  }

  public JsonWriter endObject() {
    return end('}');
  }

  public JsonWriter beginArray() {
    return begin('[');
  }

  public JsonWriter endArray() {
    return end(']');
  }

  public JsonWriter key(Key key) {
    comma();
    out.raw(key.text);
    follows = false;
    return this;
  }

  public JsonWriter key(String name) {
    string(name);
    return colon();
  }

  /** Writes a key in UTF-8. */
  public JsonWriter key(byte[] utf8, int from, int to) {
    string(utf8, from, to);
    return colon();
  }

  /** Makes a key of the string that was written last. */
  public JsonWriter colon() {
    out.raw(':');
    follows = false;
    return this;
  }

  public JsonWriter string(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return string(utf8, 0, utf8.length);
  }

  /** Writes a text in UTF-8. */
  public JsonWriter string(byte[] utf8, int from, int to) {
    comma();
    out.string(utf8, from, to);
    return this;
  }

  public JsonWriter number(long number) {
    comma();
    out.raw(Long.toString(number));
    return this;
  }

  /**
   * Writes a number. Infinities and NaN, which JSON lacks, become texts, as in the JSON of protocol
   * buffers.
   */
  public JsonWriter number(double number) {
    if (!Double.isFinite(number)) {
      return string(Double.toString(number));
    }
    boolean isWhole = number == Math.rint(number) && Math.abs(number) < JsonNumber.EXACT_MAX;
    comma();
    out.raw(isWhole ? Long.toString((long) number) : Double.toString(number));
    return this;
  }

  public JsonWriter bool(boolean value) {
    return raw(value ? TRUE : FALSE);
  }

  public JsonWriter nothing() {
    return raw(NULL);
  }

  private JsonWriter raw(byte[] json) {
    return raw(json, 0, json.length);
  }

  /** Writes a value that is JSON already. */
  public JsonWriter raw(byte[] json, int from, int to) {
    comma();
    out.raw(json, from, to);
    return this;
  }

  /** Writes a value that was encoded before, such as one that many objects contain. */
  public JsonWriter raw(JsonText json) {
    return raw(json.bytes(), 0, json.length());
  }

  /** Writes a value as {@link JsonText#repaired} does. */
  public JsonWriter repaired(byte[] json, int from, int to) {
    comma();
    out.repaired(json, from, to);
    return this;
  }

  /** Returns the position of the next key or element, or of the comma before it. */
  public int position() {
    return out.length();
  }

  /** Writes a value again: the bytes between two positions of this writer. */
  public JsonWriter again(int from, int to) {
    comma();
    out.ensure(to - from); // before the array is read
    out.raw(out.bytes(), from, to);
    return this;
  }

  /** Writes white space before the next token. */
  public JsonWriter space(byte[] json, int from, int to) {
    out.raw(json, from, to);
    return this;
  }

  /**
   * Ends an object as another one ends, with the bytes that follow the opening bracket of that one.
   *
   * @param isEmpty whether that object has no members
   */
  public JsonWriter rest(byte[] json, int from, int to, boolean isEmpty) {
    if (!isEmpty) {
      comma();
    }
    out.raw(json, from, to);
    follows = true;
    return this;
  }

  /** Writes bytes as {@link JsonText#base64} does. */
  public JsonWriter base64(byte[] some, int from, int to) {
    comma();
    out.base64(some, from, to);
    return this;
  }

  private JsonWriter begin(char bracket) {
    comma();
    out.raw(bracket);
    follows = false;
    return this;
  }

  private JsonWriter end(char bracket) {
    out.raw(bracket);
    follows = true;
    return this;
  }

  private void comma() {
    if (follows) {
      out.raw(',');
    }
    follows = true;
  }
}
