package hourglass.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Derives again, from the source and what is known of its batches, which events the target has. */
record SentEvents(EventSource source, Mapping mapping, Outcomes outcomes) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * One event that is stored, or may be. The bytes are only valid while it is visited.
   *
   * @param ticks {@link JsonTimes#NONE} when it had no time of its own
   * @param identity empty: none
   */
  record Sent(
      int batch,
      int line,
      boolean unsure,
      String type,
      long ticks,
      String identity,
      byte[] bytes,
      int from,
      int to) {
    long payloadDigest() {
      return Digest64.of(bytes, from, to);
    }

    String text() {
      return new String(
          bytes, from, Math.min(to - from, 200), java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  /** Takes events one after the other; false ends it. */
  @FunctionalInterface
  interface Visitor {
    boolean visit(Sent event);
  }

  void forEach(Visitor visitor) throws IOException {
    Mapping.Extractor fields = mapping.extractor();
    try (EventSource.Reader reader = source.open()) {
      for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
        if (!visitBatch(batch, fields, visitor)) {
          return;
        }
      }
    }
  }

  private boolean visitBatch(Batch batch, Mapping.Extractor fields, Visitor visitor)
      throws IOException {
    byte[] lines = batch.lines();
    int from = 0;
    for (int line = 0; line < batch.events(); line++) {
      int end = Lines.indexOfBreak(lines, from, lines.length);
      Outcomes.Fate fate = outcomes.of(batch.index(), line);
      if (fate != Outcomes.Fate.NOT_STORED) {
        boolean unsure = fate == Outcomes.Fate.UNSURE;
        if (!visitor.visit(sent(batch.index(), line, unsure, fields, lines, from, end))) {
          return false;
        }
      }
      from = end + 1;
    }
    return true;
  }

  private static Sent sent(
      int batch,
      int line,
      boolean unsure,
      Mapping.Extractor fields,
      byte[] lines,
      int lineFrom,
      int lineTo)
      throws IOException {
    int from = Lines.skipSpace(lines, lineFrom, lineTo);
    int to = Lines.trimEnd(lines, from, lineTo);
    try (JsonParser parser = JSON.createParser(lines, from, to - from)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        fields.read(parser);
      }
    } catch (IOException e) {
      throw new IOException(
          "batch %d, line %d: acknowledged, but not JSON: %s"
              .formatted(batch, line, e.getMessage()),
          e);
    }
    String id = fields.id();
    return new Sent(
        batch, line, unsure, fields.type(), fields.ticks(), id == null ? "" : id, lines, from, to);
  }
}
