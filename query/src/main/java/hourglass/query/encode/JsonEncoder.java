package hourglass.query.encode;

import static java.util.stream.Collectors.joining;

import hourglass.bytes.Json;
import hourglass.query.AnswerFacts;
import hourglass.store.Columns;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class JsonEncoder implements EventEncoder {
  private final EventText text = new EventText();
  private boolean first = true;

  @Override
  public byte[] begin() {
    return EventText.ascii("{\"events\":[");
  }

  @Override
  public int bytesMax(RowText row, Columns columns, int i) {
    return EventText.bytes(row, columns, i) + 1;
  }

  @Override
  public int write(RowText row, Columns columns, int i, byte[] out, int at) {
    if (first) {
      first = false;
      return text.write(row, columns, i, out, at);
    }
    out[at] = ',';
    return text.write(row, columns, i, out, at + 1);
  }

  @Override
  public byte[] end(AnswerFacts facts) {
    String cursor = facts.cursor() == null ? "null" : '"' + facts.cursor() + '"';
    String previous = facts.previous() == null ? "" : ",\"previous\":\"" + facts.previous() + '"';
    String text =
        "],\"cursor\":%s%s,\"rows\":{\"asked\":%d,\"answered\":%d%s}%s,\"complete\":%b}"
            .formatted(
                cursor,
                previous,
                facts.rowsAsked(),
                facts.rowsAnswered(),
                missing(facts.rowsMissing()),
                facts.partsMissing().isEmpty() ? "" : missing(facts.partsMissing()),
                facts.isComplete());
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String missing(@Nullable List<?> names) {
    return names == null
        ? ""
        : names.stream().map(JsonEncoder::quoted).collect(joining(",", ",\"missing\":[", "]"));
  }

  private static String quoted(Object name) {
    return Json.quoted(name.toString());
  }
}
