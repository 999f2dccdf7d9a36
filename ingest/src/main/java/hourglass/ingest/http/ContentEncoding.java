package hourglass.ingest.http;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import hourglass.bytes.WholeInflater;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.Memory;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The encodings of a body, or of a part of one. */
public enum ContentEncoding {
  IDENTITY,
  GZIP,
  DEFLATE,
  ZSTD;

  /** The allowed encodings, for clients that sent another one. */
  public static final String ALLOWED = "gzip, deflate, zstd";

  // The window is 8 MiB: RFC 8878 recommends that decoders support it and encoders stay below it.
  private static final int ZSTD_WINDOW_LOG_MAX = 23;

  private static final int STEP_BYTES = 16_384;

  // Events in JSON mostly shrink to less than a quarter.
  private static final int LIKELY_RATIO = 4;

  /**
   * Guesses the encoding by the first bytes of a body. Those of gzip and zstd begin no text in
   * UTF-8.
   */
  static ContentEncoding guess(Body body) {
    byte[] b = body.bytes();
    int length = body.length();
    if (length > 2 && b[0] == 0x1f && b[1] == (byte) 0x8b) {
      return GZIP;
    }
    boolean isZstd =
        length > 4 && b[0] == 0x28 && b[1] == (byte) 0xb5 && b[2] == 0x2f && b[3] == (byte) 0xfd;
    return isZstd ? ZSTD : IDENTITY;
  }

  private InputStream open(InputStream packed) throws IOException {
    return switch (this) {
      case IDENTITY -> packed;
      case GZIP -> WholeInflater.gzip(packed, STEP_BYTES);
      case DEFLATE -> WholeInflater.deflate(packed, STEP_BYTES);
      case ZSTD -> new ZstdInputStreamNoFinalizer(packed).setLongMax(ZSTD_WINDOW_LOG_MAX);
    };
  }

  static ContentEncoding of(@Nullable String contentEncoding) {
    return of("Content-Encoding", contentEncoding);
  }

  /**
   * Returns the encoding that a header names.
   *
   * @throws PushRefused if there is no such encoding
   */
  public static ContentEncoding of(String header, @Nullable String value) {
    String name = value == null ? "" : value.trim().toLowerCase(Locale.ROOT);
    return switch (name) {
      case "", "identity" -> IDENTITY;
      case "gzip", "x-gzip" -> GZIP;
      case "deflate" -> DEFLATE;
      case "zstd" -> ZSTD;
      default ->
          throw new PushRefused(
              415,
              header + ": \"" + value + "\", want one of " + ALLOWED,
              "Accept-Encoding",
              ALLOWED);
    };
  }

  /**
   * Unpacks a body. Memory is reserved before it is used; in the end, the length of the new array
   * is reserved.
   *
   * @param packedBytes the length of {@code packed}
   * @throws PushRefused if the body is too large, or memory is short
   * @throws IOException if the body has another encoding
   */
  public Body unpack(InputStream packed, long packedBytes, Memory memory, int maxBodyBytes)
      throws IOException {
    byte[] out = allocate(memory, firstCapacity(packedBytes, maxBodyBytes));
    int length = 0;
    try (InputStream unpacked = open(packed)) {
      for (; ; ) {
        length += unpacked.readNBytes(out, length, out.length - Body.PADDING - length);
        int next = unpacked.read();
        if (next < 0) {
          return Body.ofPadded(out, length);
        }
        out = grow(out, length, memory, maxBodyBytes);
        out[length++] = (byte) next;
      }
    }
  }

  /** Returns why {@link #unpack} failed. */
  public static String problem(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private int firstCapacity(long packed, int maxBodyBytes) {
    long likely = this == IDENTITY ? packed : Math.max(STEP_BYTES, LIKELY_RATIO * packed);
    // The array grows in one step from half to all, so growth never needs three arrays.
    return (int) (this != IDENTITY && likely > maxBodyBytes / 2 ? maxBodyBytes : likely);
  }

  private static byte[] grow(byte[] full, int length, Memory memory, int maxBodyBytes) {
    if (length >= maxBodyBytes) {
      throw PushRefused.tooLarge(maxBodyBytes);
    }
    long doubled = 2L * length;
    int capacity = (int) (doubled > maxBodyBytes / 2 ? maxBodyBytes : doubled);
    byte[] grown = allocate(memory, capacity);
    System.arraycopy(full, 0, grown, 0, length);
    memory.subtract(full.length);
    return grown;
  }

  private static byte[] allocate(Memory memory, int capacity) {
    int length = capacity + Body.PADDING;
    if (!memory.add(length)) {
      throw PushRefused.tooMany();
    }
    return new byte[length];
  }
}
