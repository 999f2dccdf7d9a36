package hourglass.load.lab.traffic;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.load.command.Limits;
import hourglass.load.command.LoadFailure;
import hourglass.load.lab.traffic.Phase.Field;
import hourglass.load.send.EventShape;
import hourglass.load.send.Zipf;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The phases of a scenario, one after the other. Immutable.
 *
 * @param startSecond the second of the first event in its hour, [0, 3600)
 * @param phases at least one
 */
public record TrafficPlan(double startSecond, List<Phase> phases) {
  /** The usual start, which is far from the ends of the hour. */
  static final double START_SECOND = 600;

  static final long GOLDEN = 0x9E3779B97F4A7C15L;

  public TrafficPlan {
    phases = List.copyOf(phases);
  }

  /**
   * Makes a schedule. The same plan, hour and seed produce the same schedule.
   *
   * @throws LoadFailure if the plan has too many events, or none
   */
  public Schedule schedule(Hour hour, long seed) {
    long events = phases.stream().mapToLong(Phase::events).sum();
    if (events > Limits.SCHEDULE_EVENTS_MAX) {
      throw new LoadFailure(
          "the scenario has %,d events, want at most %,d"
              .formatted(events, Limits.SCHEDULE_EVENTS_MAX));
    }
    double types = phases.stream().mapToDouble(p -> p.get(Field.TYPES)).max().orElse(1);
    Schedule schedule = new Schedule(EventShape.typeNames((int) types));
    long startTicks = hour.startTicks() + (long) (startSecond * Ticks.PER_SECOND);
    long from = 0;
    double lag = 0;
    for (Phase phase : phases) {
      long to = from + (long) (phase.get(Field.SECONDS) * 1e9);
      schedule.addPhase(phase.name(), to);
      SplittableRandom random = new SplittableRandom(seed * GOLDEN + schedule.phases().size());
      fill(schedule, phase, from, startTicks, lag, random);
      from = to;
      lag = phase.get(Field.LAG_SECONDS);
    }
    if (schedule.size() == 0) {
      throw new LoadFailure("the scenario has no events");
    }
    return schedule;
  }

  private static void fill(
      Schedule schedule,
      Phase phase,
      long fromNanos,
      long startTicks,
      double lagBefore,
      SplittableRandom random) {
    Zipf rank = new Zipf((int) phase.get(Field.TYPES), phase.get(Field.SKEW));
    double stepNanos = 1e9 / phase.get(Field.RATE);
    long events = phase.events();
    for (long i = 0; i < events; i++) {
      long due = fromNanos + (long) ((i + 0.5) * stepNanos);
      if (happens(phase, Field.REPEAT_SHARE, random) && repeat(schedule, phase, due, random)) {
        continue;
      }
      int type = happens(phase, Field.HOT_SHARE, random) ? 0 : rank.draw(random);
      double passed = (i + 0.5) / events;
      double behind = lagBefore + passed * (phase.get(Field.LAG_SECONDS) - lagBefore);
      if (happens(phase, Field.LATE_SHARE, random)) {
        behind += random.nextDouble() * phase.get(Field.LATE_SECONDS);
      }
      long ticks = startTicks + due / 100 - (long) (behind * Ticks.PER_SECOND);
      schedule.add(due, ticks, type, (int) phase.get(Field.PAYLOAD_BYTES));
    }
  }

  private static boolean happens(Phase phase, Field share, SplittableRandom random) {
    return phase.get(share) > 0 && random.nextDouble() < phase.get(share);
  }

  private static boolean repeat(Schedule schedule, Phase phase, long due, SplittableRandom random) {
    int first = schedule.firstDue(due - (long) (phase.get(Field.REPEAT_SECONDS) * 1e9));
    if (first == schedule.size()) {
      return false;
    }
    schedule.repeat(due, random.nextInt(first, schedule.size()));
    return true;
  }
}
