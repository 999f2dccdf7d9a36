package hourglass.ingest.decode;

/**
 * JSON that is written once and copied into many payloads, such as the labels of a stream. {@link
 * ConvertedEvents#moveTo} fills it, and {@link JsonWriter#raw(JsonFragment)} copies it. Not
 * thread-safe.
 */
public final class JsonFragment {
  byte[] bytes = {};
  int length;

  public boolean isEmpty() {
    return length == 0;
  }

  public void clear() {
    length = 0;
  }
}
