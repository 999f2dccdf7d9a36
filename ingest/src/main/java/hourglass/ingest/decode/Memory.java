package hourglass.ingest.decode;

import hourglass.bytes.JsonText;

/** The memory that decoding may use. It is reserved before use. */
public interface Memory extends JsonText.Room {
  /** Reserves memory. Returns false, and changes nothing, if there is no room. */
  boolean add(long bytes);

  @Override
  void subtract(long bytes);

  /** Returns the exception to throw where there is no room. */
  RuntimeException tooMuch();

  /**
   * Returns the exception to throw where there never is room, for a request that must be sent in
   * parts.
   */
  RuntimeException tooLarge(String problem);

  @Override
  default void reserve(long bytes) {
    if (!add(bytes)) {
      throw tooMuch();
    }
  }

  @Override
  default RuntimeException full(int bytesMax) {
    return tooLarge("body: its events have more than " + bytesMax + " bytes; send it in parts");
  }
}
