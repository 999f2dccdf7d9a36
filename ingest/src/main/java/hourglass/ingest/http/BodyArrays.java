package hourglass.ingest.http;

import java.util.concurrent.LinkedBlockingDeque;

/**
 * Arrays that bodies are read into, used again: a fresh one is memory that must be cleared, and
 * that no processor's cache has. Thread-safe.
 */
final class BodyArrays {
  /** Smaller ones come cheaper from the heap. */
  private static final int BYTES_MIN = 64 << 10;

  /** Larger ones are too rare to be kept for the next. */
  private static final int BYTES_MAX = 4 << 20;

  /** Lengths are multiples of that, so that bodies of about one size fit into each other's. */
  private static final int STEP_BYTES = 256 << 10;

  /** As many bodies are decoded at a time as there are processors; 16 MiB for four. */
  private static final int KEPT_MAX = 4;

  // The last one first: it is the most likely to be in a cache.
  private final LinkedBlockingDeque<byte[]> kept = new LinkedBlockingDeque<>(KEPT_MAX);

  /** The length of an array that is to hold so many bytes. */
  int lengthFor(int bytes) {
    return isKept(bytes) ? (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES : bytes;
  }

  /** An array of a length from {@link #lengthFor}, with any content. */
  byte[] take(int length) {
    byte[] array = isKept(length) ? kept.pollFirst() : null;
    return array != null && array.length == length ? array : new byte[length];
  }

  /** Takes an array back that nobody will read again. */
  void give(byte[] array) {
    if (isKept(array.length)) {
      kept.offerFirst(array);
    }
  }

  private static boolean isKept(int length) {
    return length >= BYTES_MIN && length <= BYTES_MAX;
  }
}
