package hourglass.store.embedded.frames;

import java.io.IOException;

/** The fields of records, little-endian, as they are appended to a file or a buffer. */
public interface RecordOutput {
  void putByte(int value) throws IOException;

  void putInt(int value) throws IOException;

  void putLong(long value) throws IOException;

  void putBytes(byte[] bytes, int from, int length) throws IOException;
}
