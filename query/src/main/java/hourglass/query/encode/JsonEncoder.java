package hourglass.query.encode;

import static java.util.stream.Collectors.joining;

import hourglass.bytes.Json;
import hourglass.query.AnswerFacts;
import hourglass.store.Columns;
import java.nio.charset.StandardCharsets;
import java.util.List;

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
        "],\"cursor\":%s%s,\"rows\":{\"asked\":%d,\"answered\":%d%s}%s%s,\"complete\":%b}"
            .formatted(
                cursor,
                previous,
                facts.rowsAsked(),
                facts.rowsAnswered(),
                facts.rowsMissing() == null ? "" : list("missing", facts.rowsMissing()),
                unlessEmpty("missing", facts.gaps().missing()),
                unlessEmpty("dropped", facts.gaps().dropped().names()),
                facts.isComplete());
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String unlessEmpty(String field, List<?> names) {
    return names.isEmpty() ? "" : list(field, names);
  }

  private static String list(String field, List<?> names) {
    return names.stream()
        .map(JsonEncoder::quoted)
        .collect(joining(",", ",\"" + field + "\":[", "]"));
  }

  private static String quoted(Object name) {
    return Json.quoted(name.toString());
  }
}
