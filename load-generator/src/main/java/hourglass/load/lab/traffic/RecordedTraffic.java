package hourglass.load.lab.traffic;

import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.load.command.Limits;
import hourglass.load.command.LoadFailure;
import hourglass.load.event.EventKeys;
import hourglass.load.event.JsonTimes;
import hourglass.load.event.LineSplitter;
import hourglass.load.event.Lines;
import hourglass.load.event.Mapping;
import hourglass.load.send.FileSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a schedule from a file of NDJSON, plain, gzip or zstd. Each event is due as long after the
 * first one as its time says, but never before its predecessor. With a rate, events are due at an
 * even pace instead. For one use.
 */
final class RecordedTraffic {
  private static final int BATCH_EVENTS = 10_000;

  private final Mapping.Extractor fields;
  private final double ratePerSecond;
  private final List<String> types = new ArrayList<>();
  private final Map<String, Integer> typeIndexes = new HashMap<>();
  private final Map<Long, Integer> eventsByKey = new HashMap<>();
  private final Schedule schedule = new Schedule(types);
  private final EventKeys keys = new EventKeys(true);
  private long firstTicks;
  private long lastDue;
  private long skipped;

  private RecordedTraffic(Mapping mapping, double ratePerSecond) {
    this.fields = mapping.extractor();
    this.ratePerSecond = ratePerSecond;
  }

  /** A schedule, and the number of lines without a type or time. */
  record Recording(Schedule schedule, long skipped) {}

  /** Reads a recording. At a rate of 0, the pace is that of the recording. */
  static Recording read(Path file, Mapping mapping, double ratePerSecond) throws IOException {
    RecordedTraffic traffic = new RecordedTraffic(mapping, ratePerSecond);
    LineSplitter lines = new LineSplitter(traffic::add);
    new FileSource(file, BATCH_EVENTS, Limits.SCHEDULE_EVENTS_MAX + 1L)
        .forEach(
            batch -> {
              lines.accept(batch.lines());
              return true;
            });
    if (traffic.schedule.size() == 0) {
      throw new LoadFailure(
          "%s: none of its %,d lines is an event with a type and a time"
              .formatted(file, traffic.skipped));
    }
    traffic.schedule.addPhase("recorded", traffic.lastDue + 1);
    return new Recording(traffic.schedule, traffic.skipped);
  }

  private void add(byte[] bytes, int lineFrom, int lineTo) {
    int from = Lines.skipSpace(bytes, lineFrom, lineTo);
    int to = Lines.trimEnd(bytes, from, lineTo);
    try {
      fields.read(bytes, from, to);
      EventType.check(fields.type());
    } catch (IOException | IllegalArgumentException e) {
      skipped++;
      return;
    }
    long ticks = fields.ticks();
    if (ticks == JsonTimes.NONE || !Hour.covers(ticks)) {
      skipped++;
      return;
    }
    String type = fields.type();
    Integer before =
        fields.id().isEmpty()
            ? null
            : eventsByKey.putIfAbsent(keys.key(type, ticks, fields.id()), schedule.size());
    if (before != null) {
      schedule.repeat(due(ticks), before);
    } else {
      if (typeIndexes.putIfAbsent(type, types.size()) == null) {
        types.add(type);
      }
      schedule.add(due(ticks), ticks, typeIndexes.get(type), to - from);
    }
  }

  private long due(long ticks) {
    if (schedule.size() == 0) {
      firstTicks = ticks;
    }
    lastDue =
        ratePerSecond > 0
            ? (long) (schedule.size() * (1e9 / ratePerSecond))
            : Math.max(lastDue, (ticks - firstTicks) * 100);
    return lastDue;
  }
}
