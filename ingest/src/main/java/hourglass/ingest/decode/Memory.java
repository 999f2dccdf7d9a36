package hourglass.ingest.decode;

/** The memory that decoding may use. It is reserved before use. */
public interface Memory {
  /** False, with no change, if there is no room. */
  boolean add(long bytes);

  void subtract(long bytes);

  /** To throw where there is no room. */
  RuntimeException tooMuch();

  /** To throw where there never is room: for a request that must be sent in parts. */
  RuntimeException tooLarge(String problem);
}
