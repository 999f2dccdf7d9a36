package hourglass.store.pages;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page that describes the format shows what the codec writes. */
class PageFormatTest {
  private static final Pattern BLOCK = Pattern.compile("```hex\n(.*?)```", Pattern.DOTALL);
  private static final Pattern BYTES = Pattern.compile("(?m)^((?:[0-9a-f]{2} )+) ");

  @Test
  void documentedExamplesMatchTheCodec() throws IOException {
    List<String> examples = examples(Files.readString(Path.of("../../docs/page-format.md")));
    assertThat(examples).containsExactly(page(61, "{\"n\":1}", "hello"), squares());
  }

  private static List<String> examples(String text) {
    List<String> examples = new ArrayList<>();
    for (Matcher block = BLOCK.matcher(text); block.find(); ) {
      StringBuilder bytes = new StringBuilder();
      for (Matcher line = BYTES.matcher(block.group(1)); line.find(); ) {
        bytes.append(line.group(1));
      }
      examples.add(bytes.toString().strip());
    }
    return examples;
  }

  private static String squares() {
    String[] payloads = new String[8];
    for (int i = 0; i < payloads.length; i++) {
      payloads[i] = "{\"n\":" + i * i + "}";
    }
    return page(1, payloads);
  }

  private static String page(int seconds, String... payloads) {
    long ticks = Hour.parse("2026-11-20T08").startTicks();
    ColumnsBuilder builder = new ColumnsBuilder(8, 64);
    for (int i = 0; i < payloads.length; i++) {
      byte[] payload = payloads[i].getBytes(StandardCharsets.UTF_8);
      long time = ticks + i * seconds * Ticks.PER_SECOND;
      builder.add(time, TimeUuidGenerator.lsb(7 + i), payload, 0, payload.length);
    }
    return hex(builder.build());
  }

  private static String hex(Columns columns) {
    try (PageCodec codec = new PageCodec()) {
      return HexFormat.ofDelimiter(" ").formatHex(codec.encode(columns));
    }
  }
}
