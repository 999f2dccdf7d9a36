package hourglass.store.pages;

import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** The pages that events make, one after the other in each row. */
final class EventFile {
  /** Payload bytes of a page, about as many as a flush gathers. */
  static final int PAGE_PAYLOAD_BYTES = 256 << 10;

  private EventFile() {}

  /** Reads NDJSON, packed with gzip if the name ends so. */
  static List<Columns> pages(Path file, String typeField, String timeField) throws IOException {
    try (InputStream plain = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(plain) : plain;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return pages(reader.lines(), typeField, timeField);
    }
  }

  static List<Columns> pages(Stream<String> lines, String typeField, String timeField) {
    Pattern type = Pattern.compile("\"" + Pattern.quote(typeField) + "\": ?\"([^\"]*)\"");
    Pattern time = Pattern.compile("\"" + Pattern.quote(timeField) + "\": ?\"([^\"]*)\"");
    Map<String, ColumnsBuilder> rows = new TreeMap<>();
    long[] number = {1L << 50};
    lines.forEach(
        line -> {
          byte[] payload = line.getBytes(StandardCharsets.UTF_8);
          long ticks = Ticks.of(Instant.parse(first(time, line)));
          rows.computeIfAbsent(first(type, line), t -> new ColumnsBuilder(1024, 1 << 18))
              .add(ticks, TimeUuidGenerator.lsb(number[0]++), payload, 0, payload.length);
        });
    List<Columns> pages = new ArrayList<>();
    rows.values().forEach(row -> cut(row.build(), pages));
    return pages;
  }

  private static String first(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    if (!matcher.find()) {
      throw new IllegalArgumentException(pattern + " is not in " + line);
    }
    return matcher.group(1);
  }

  private static void cut(Columns row, List<Columns> pages) {
    int from = 0;
    for (int i = 1; i <= row.size(); i++) {
      if (i == row.size() || row.offset(i) - row.offset(from) >= PAGE_PAYLOAD_BYTES) {
        pages.add(copy(row.subColumns(from, i)));
        from = i;
      }
    }
  }

  private static Columns copy(Columns part) {
    ColumnsBuilder builder = new ColumnsBuilder(part.size(), part.payloadBytes());
    for (int i = 0; i < part.size(); i++) {
      int offset = part.offset(i);
      builder.add(part.ticks(i), part.lsb(i), part.bytes(), offset, offset + part.length(i));
    }
    return builder.build();
  }
}
