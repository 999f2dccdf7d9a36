package hourglass.bucketing.simulation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Computes the token of a partition key under Cassandra's Murmur3Partitioner: the first half of
 * MurmurHash3_x64_128 (A. Appleby) with seed 0. The partitioner deviates from it in two ways: bytes
 * after the last whole 16 are signed, and the smallest long, the start of the ring, becomes the
 * largest.
 */
final class Murmur3Token {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;
  private static final int BLOCK_BYTES = 16;

  private Murmur3Token() {}

  static long of(byte[] key) {
    long h1 = 0;
    long h2 = 0;
    int blocksEnd = key.length / BLOCK_BYTES * BLOCK_BYTES;
    for (int at = 0; at < blocksEnd; at += BLOCK_BYTES) {
      h1 = Long.rotateLeft(h1 ^ mix1((long) LONG.get(key, at)), 27) + h2;
      h1 = h1 * 5 + 0x52dce729;
      h2 = Long.rotateLeft(h2 ^ mix2((long) LONG.get(key, at + Long.BYTES)), 31) + h1;
      h2 = h2 * 5 + 0x38495ab5;
    }
    h1 ^= mix1(rest(key, blocksEnd, blocksEnd + Long.BYTES));
    h2 ^= mix2(rest(key, blocksEnd + Long.BYTES, key.length));
    h1 ^= key.length;
    h2 ^= key.length;
    h1 += h2;
    h2 += h1;
    long token = finish(h1) + finish(h2);
    return token == Long.MIN_VALUE ? Long.MAX_VALUE : token;
  }

  /**
   * Returns the signed bytes of [from, to) as a number, the lowest first; 0 if the range is empty.
   */
  private static long rest(byte[] key, int from, int to) {
    long rest = 0;
    for (int at = from; at < Math.min(to, key.length); at++) {
      rest ^= (long) key[at] << 8 * (at - from);
    }
    return rest;
  }

  private static long mix1(long block) {
    return Long.rotateLeft(block * C1, 31) * C2;
  }

  private static long mix2(long block) {
    return Long.rotateLeft(block * C2, 33) * C1;
  }

  private static long finish(long hash) {
    long h = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    h = (h ^ h >>> 33) * 0xc4ceb9fe1a85ec53L;
    return h ^ h >>> 33;
  }
}
