package hourglass.store.pages;

import hourglass.store.Columns;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Prints what pages cost, by section: {@code [NDJSON file] [type field] [time field] [level]}; of
 * generated events without a file.
 */
public final class PageSizesMain {
  private static final int GENERATED = 300_000;

  private PageSizesMain() {}

  public static void main(String[] args) throws IOException {
    String typeField = args.length > 1 ? args[1] : "type";
    String timeField = args.length > 2 ? args[2] : "time";
    int level = args.length > 3 ? Integer.parseInt(args[3]) : PageCodec.DEFAULT_LEVEL;
    List<Columns> pages =
        args.length > 0
            ? EventFile.pages(Path.of(args[0]), typeField, timeField)
            : EventFile.pages(GeneratedEvents.lines(GENERATED, 1000, 1), typeField, timeField);
    try (PageCodec codec = new PageCodec(level, true)) {
      sizes(pages, codec);
      times(pages, codec);
    }
  }

  private static void sizes(List<Columns> pages, PageCodec codec) {
    PageSections sections = new PageSections();
    long columns = 0;
    long payload = 0;
    for (Columns page : pages) {
      byte[] bytes = codec.encode(page);
      Pages.assertSame(codec.decode(bytes), page);
      sections.add(bytes);
      columns += page.size();
      payload += page.payloadBytes();
    }
    System.out.printf(
        "%d pages, %d events of %.1f B; bytes an event:%n",
        pages.size(), columns, (double) payload / columns);
    long total = 0;
    for (Map.Entry<String, Long> section : sections.bytes().entrySet()) {
      total += section.getValue();
      System.out.printf("%8.3f  %s%n", (double) section.getValue() / columns, section.getKey());
    }
    System.out.printf("%8.3f  all%n", (double) total / columns);
  }

  private static void times(List<Columns> pages, PageCodec codec) {
    byte[][] encoded = pages.stream().map(codec::encode).toArray(byte[][]::new);
    long columns = pages.stream().mapToLong(Columns::size).sum();
    long[] sink = new long[1];
    int rounds = Math.max(1, (int) (2_000_000 / columns));
    for (int i = 0; i < 4; i++) {
      System.out.printf(
          "CPU seconds per million events: encode %.3f, decode %.3f, names %.3f%n",
          seconds(rounds, pages.size(), columns, p -> codec.encode(pages.get(p)), sink),
          seconds(rounds, pages.size(), columns, p -> codec.decode(encoded[p]), sink),
          seconds(rounds, pages.size(), columns, p -> codec.decodeNames(encoded[p]), sink));
    }
  }

  private static double seconds(
      int rounds, int pages, long columns, IntFunction<Object> work, long[] sink) {
    var threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    for (int round = 0; round < rounds; round++) {
      for (int p = 0; p < pages; p++) {
        sink[0] += work.apply(p).hashCode();
      }
    }
    return (threads.getCurrentThreadCpuTime() - start) * 1e-3 / (columns * rounds);
  }
}
