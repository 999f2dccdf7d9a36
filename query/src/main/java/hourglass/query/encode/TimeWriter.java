package hourglass.query.encode;

import hourglass.bucketing.Ticks;

/**
 * Writes times as {@link Ticks#write} does. Successive events mostly share their second, so its
 * text is kept and only the seven digits of the fraction are written. Not thread-safe.
 */
final class TimeWriter {
  private static final int DIGITS = 7;

  /** The offset of the digits, after {@code 2026-11-20T08:00:00.}. */
  private static final int DIGITS_AT = 20;

  private final byte[] text = new byte[Ticks.TEXT_BYTES];
  private long secondTicks = Long.MIN_VALUE;

  /** Writes a time, and returns the position after the last byte written. */
  int write(long ticks, byte[] out, int at) {
    long rest = ticks - secondTicks;
    if (rest < 0 || rest >= Ticks.PER_SECOND) {
      rest = Math.floorMod(ticks - Ticks.UNIX_EPOCH, Ticks.PER_SECOND);
      secondTicks = ticks - rest;
      Ticks.write(secondTicks, text, 0);
    }
    System.arraycopy(text, 0, out, at, Ticks.TEXT_BYTES);
    int digits = (int) rest;
    for (int i = at + DIGITS_AT + DIGITS - 1; digits > 0; i--) {
      int tens = digits / 10;
      out[i] = (byte) ('0' + digits - 10 * tens);
      digits = tens;
    }
    return at + Ticks.TEXT_BYTES;
  }
}
