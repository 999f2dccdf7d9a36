package hourglass.load.event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** XXH64 with seed 0 (Yann Collet's xxHash, specification 0.1.1): fast, and well spread. */
public final class Digest64 {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long P1 = 0x9E3779B185EBCA87L;
  private static final long P2 = 0xC2B2AE3D27D4EB4FL;
  private static final long P1_PLUS_P2 = 0x60EA27EEADC0B5D6L;
  private static final long P3 = 0x165667B19E3779F9L;
  private static final long P4 = 0x85EBCA77C2B2AE63L;
  private static final long P5 = 0x27D4EB2F165667C5L;

  private Digest64() {}

  /** The digest of [from, to). */
  public static long of(byte[] bytes, int from, int to) {
    int at = from;
    long hash = P5;
    if (to - from >= 32) {
      int stripes = (to - from) / 32;
      hash = stripes(bytes, from, stripes);
      at += stripes * 32;
    }
    return avalanche(tail(bytes, at, to, hash + (to - from)));
  }

  private static long stripes(byte[] bytes, int from, int count) {
    long a = P1_PLUS_P2;
    long b = P2;
    long c = 0;
    long d = -P1;
    for (int i = 0, at = from; i < count; i++, at += 32) {
      a = round(a, (long) LONG.get(bytes, at));
      b = round(b, (long) LONG.get(bytes, at + 8));
      c = round(c, (long) LONG.get(bytes, at + 16));
      d = round(d, (long) LONG.get(bytes, at + 24));
    }
    long hash =
        Long.rotateLeft(a, 1)
            + Long.rotateLeft(b, 7)
            + Long.rotateLeft(c, 12)
            + Long.rotateLeft(d, 18);
    return merge(merge(merge(merge(hash, a), b), c), d);
  }

  private static long tail(byte[] bytes, int from, int to, long start) {
    long hash = start;
    int at = from;
    for (; at <= to - 8; at += 8) {
      hash = Long.rotateLeft(hash ^ round(0, (long) LONG.get(bytes, at)), 27) * P1 + P4;
    }
    if (at <= to - 4) {
      long word = Integer.toUnsignedLong((int) INT.get(bytes, at));
      hash = Long.rotateLeft(hash ^ word * P1, 23) * P2 + P3;
      at += 4;
    }
    for (; at < to; at++) {
      hash = Long.rotateLeft(hash ^ (bytes[at] & 0xff) * P5, 11) * P1;
    }
    return hash;
  }

  private static long round(long lane, long word) {
    return Long.rotateLeft(lane + word * P2, 31) * P1;
  }

  private static long merge(long hash, long lane) {
    return (hash ^ round(0, lane)) * P1 + P4;
  }

  /** Spreads every bit of {@code value} over all of the answer. */
  static long avalanche(long value) {
    long hash = (value ^ value >>> 33) * P2;
    hash = (hash ^ hash >>> 29) * P3;
    return hash ^ hash >>> 32;
  }
}
