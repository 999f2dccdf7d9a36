package hourglass.store.embedded.codec;

/** The bytes of a page where they are stored, to read a few of them without a copy of all. */
public interface PageBytes {
  int length();

  /** Reads bytes from {@code at} on; all of them are in the page. */
  void read(int at, byte[] to, int count);
}
