package hourglass.load.verify;

import hourglass.bytes.LineBreaks;
import hourglass.load.client.Batch;
import hourglass.load.command.LoadFailure;
import hourglass.load.event.EventKeys;
import hourglass.load.event.JsonTimes;
import hourglass.load.event.Lines;
import hourglass.load.event.Mapping;
import hourglass.load.send.BatchOutcomes;
import hourglass.load.send.BatchSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The events of a run that the target must contain. */
public record SentEvents(BatchSource source, Mapping mapping, BatchOutcomes outcomes) {
  /**
   * One event that is stored, or may be. The bytes are only valid during the visit.
   *
   * @param ticks {@link JsonTimes#NONE} if the event had no time
   * @param identity empty if it has none
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
      return EventKeys.digest(bytes, from, to);
    }

    String text() {
      return new String(bytes, from, Math.min(to - from, 200), StandardCharsets.UTF_8);
    }
  }

  /** Visits the events until the visitor returns false. Returns false in that case. */
  boolean forEach(Predicate<Sent> visitor) throws IOException {
    Mapping.Extractor fields = mapping.extractor();
    return source.forEach(batch -> forEach(batch, fields, visitor));
  }

  private boolean forEach(Batch batch, Mapping.Extractor fields, Predicate<Sent> visitor) {
    byte[] lines = batch.lines().getBytes();
    int from = 0;
    for (int line = 0; line < batch.events(); line++) {
      int to = LineBreaks.lineFeed(lines, from, lines.length);
      Sent event = sent(batch.index(), line, fields, lines, from, to);
      if (event != null && !visitor.test(event)) {
        return false;
      }
      from = to + 1;
    }
    return true;
  }

  /**
   * Returns the event, or null if it is not stored, or if its fate is unknown and it is invalid.
   */
  private @Nullable Sent sent(
      int batch, int line, Mapping.Extractor fields, byte[] lines, int lineFrom, int lineTo) {
    BatchOutcomes.Fate fate = outcomes.of(batch, line);
    if (fate == BatchOutcomes.Fate.NOT_STORED) {
      return null;
    }
    int from = Lines.skipSpace(lines, lineFrom, lineTo);
    int to = Lines.trimEnd(lines, from, lineTo);
    boolean unsure = fate == BatchOutcomes.Fate.UNSURE;
    String fault = read(fields, lines, from, to);
    if (fault == null) {
      return new Sent(
          batch, line, unsure, fields.type(), fields.ticks(), fields.id(), lines, from, to);
    }
    if (unsure) {
      return null;
    }
    throw new LoadFailure(
        "batch %d, line %d was acknowledged, but %s".formatted(batch, line, fault));
  }

  private static @Nullable String read(Mapping.Extractor fields, byte[] lines, int from, int to) {
    try {
      fields.read(lines, from, to);
    } catch (IOException e) {
      return "is not JSON: " + e.getMessage();
    }
    if (fields.type().isEmpty()) {
      return "has no type";
    }
    return fields.hasTime() && fields.ticks() == JsonTimes.NONE ? "its time is not one" : null;
  }
}
