package hourglass.load.verify;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.load.client.Batch;
import hourglass.load.command.LoadFailure;
import hourglass.load.event.Digest64;
import hourglass.load.event.JsonTimes;
import hourglass.load.event.Lines;
import hourglass.load.event.Mapping;
import hourglass.load.send.BatchOutcomes;
import hourglass.load.send.BatchSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Derives the events that the target must have, from the source and the outcomes of its batches.
 */
public record SentEvents(BatchSource source, Mapping mapping, BatchOutcomes outcomes) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * One event that is stored, or may be. The bytes are only valid while it is visited.
   *
   * @param ticks {@link JsonTimes#NONE} when it had no time of its own
   * @param identity empty: none
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared whole
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
      return new String(bytes, from, Math.min(to - from, 200), StandardCharsets.UTF_8);
    }
  }

  /** Takes events one after the other; false ends it. */
  @FunctionalInterface
  interface Visitor {
    boolean visit(Sent event);
  }

  void forEach(Visitor visitor) throws IOException {
    Mapping.Extractor fields = mapping.extractor();
    try (BatchSource.Reader reader = source.open()) {
      for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
        if (!visitBatch(batch, fields, visitor)) {
          return;
        }
      }
    }
  }

  private boolean visitBatch(Batch batch, Mapping.Extractor fields, Visitor visitor) {
    byte[] lines = batch.lines().getBytes();
    int from = 0;
    for (int line = 0; line < batch.events(); line++) {
      int end = Lines.indexOfBreak(lines, from, lines.length);
      BatchOutcomes.Fate fate = outcomes.of(batch.index(), line);
      if (fate != BatchOutcomes.Fate.NOT_STORED) {
        boolean unsure = fate == BatchOutcomes.Fate.UNSURE;
        Sent event = sent(batch.index(), line, unsure, fields, lines, from, end);
        if (event != null && !visitor.visit(event)) {
          return false;
        }
      }
      from = end + 1;
    }
    return true;
  }

  /** Null for one of unknown fate that no target would have taken. */
  private static @Nullable Sent sent(
      int batch,
      int line,
      boolean unsure,
      Mapping.Extractor fields,
      byte[] lines,
      int lineFrom,
      int lineTo) {
    int from = Lines.skipSpace(lines, lineFrom, lineTo);
    int to = Lines.trimEnd(lines, from, lineTo);
    String trouble = read(fields, lines, from, to);
    if (trouble == null) {
      return new Sent(
          batch, line, unsure, fields.type(), fields.ticks(), fields.id(), lines, from, to);
    }
    if (unsure) {
      return null;
    }
    throw new LoadFailure(
        "batch %d, line %d was acknowledged, but %s".formatted(batch, line, trouble));
  }

  private static @Nullable String read(Mapping.Extractor fields, byte[] lines, int from, int to) {
    fields.clear();
    try (JsonParser parser = JSON.createParser(lines, from, to - from)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        fields.read(parser);
      }
    } catch (IOException e) {
      return "is not JSON: " + e.getMessage();
    }
    if (fields.type().isEmpty()) {
      return "has no type";
    }
    return fields.hasTime() && fields.ticks() == JsonTimes.NONE ? "its time is not one" : null;
  }
}
