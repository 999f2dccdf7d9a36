package hourglass.store.pages;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Identity;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** Columns with names and payloads of every kind, from a seed. */
final class RandomColumns {
  private static final long HOUR = Hour.parse("2026-11-20T08").startTicks();

  private final SplittableRandom random;

  RandomColumns(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Up to {@code max} columns of a random kind. */
  Columns next(int max) {
    int count = 1 + random.nextInt(max);
    RandomPayloads payloads = new RandomPayloads(random.split());
    ColumnsBuilder builder = new ColumnsBuilder(16, 16);
    int units = random.nextInt(4);
    int names = random.nextInt(6);
    long[] sources = random.longs(1 + random.nextInt(8)).toArray();
    long number = random.nextLong() >>> 5;
    long ticks = HOUR;
    int gap = 1 + random.nextInt(1 << random.nextInt(24));
    for (int i = 0; i < count; i++) {
      number += 1 + random.nextInt(3);
      ticks = names == 4 ? random.nextLong() >>> 4 : ticks + random.nextInt(gap);
      long rounded = ticks - ticks % unit(units);
      byte[] payload = payloads.next(i, rounded);
      builder.add(rounded, lsb(names, number, sources), payload, 0, payload.length);
    }
    return builder.build();
  }

  /** Columns of one second's step, each with its payload. */
  static Columns of(int count, IntFunction<byte[]> payloads) {
    ColumnsBuilder builder = new ColumnsBuilder(count, 64 * count);
    for (int i = 0; i < count; i++) {
      byte[] payload = payloads.apply(i);
      builder.add(
          HOUR + i * Ticks.PER_SECOND, TimeUuidGenerator.lsb(1000 + i), payload, 0, payload.length);
    }
    return builder.build();
  }

  static Columns ofTexts(String... texts) {
    return of(texts.length, i -> texts[i].getBytes(StandardCharsets.UTF_8));
  }

  private static long unit(int kind) {
    return new long[] {1, 10, Ticks.PER_MILLI, Ticks.PER_SECOND}[kind];
  }

  private long lsb(int names, long number, long[] sources) {
    return switch (names) {
      case 0, 4 -> TimeUuidGenerator.lsb(number);
      case 1 -> Identity.position(random.nextLong(), 7);
      case 5 -> Identity.offset(sources[random.nextInt(sources.length)], number);
      case 2 -> random.nextLong();
      default -> random.nextBoolean() ? TimeUuidGenerator.lsb(number) : random.nextLong();
    };
  }
}
