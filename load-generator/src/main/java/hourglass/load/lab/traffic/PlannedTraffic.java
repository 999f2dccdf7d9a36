package hourglass.load.lab.traffic;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.load.command.Limits;
import hourglass.load.command.LoadFailure;
import hourglass.load.send.EventShape;
import hourglass.load.send.Zipf;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes the schedule of a scenario; the same scenario, hour and seed give the same. */
public final class PlannedTraffic {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final TrafficPlan plan;
  private final long startTicks;
  private final long seed;
  private final List<Schedule.Stretch> stretches = new ArrayList<>();
  private final Schedule schedule;
  private double lagBefore;

  private PlannedTraffic(TrafficPlan plan, Hour hour, long seed) {
    this.plan = plan;
    this.seed = seed;
    startTicks = hour.startTicks() + (long) (plan.startSecond() * Ticks.PER_SECOND);
    schedule = new Schedule(EventShape.typeNames(plan.types()), stretches);
  }

  /**
   * Makes the schedule of a plan.
   *
   * @param hour that the first event falls into
   * @throws LoadFailure if it has too many events, or none
   */
  public static Schedule of(TrafficPlan plan, Hour hour, long seed) {
    PlannedTraffic traffic = new PlannedTraffic(plan, hour, seed);
    traffic.fill();
    return traffic.schedule;
  }

  private void fill() {
    if (plan.events() > Limits.SCHEDULE_EVENTS_MAX) {
      throw new LoadFailure(
          "the scenario has %,d events, want at most %,d"
              .formatted(plan.events(), Limits.SCHEDULE_EVENTS_MAX));
    }
    long from = 0;
    for (Phase phase : plan.phases()) {
      long to = from + (long) (phase.get(PhaseField.SECONDS) * 1e9);
      stretches.add(new Schedule.Stretch(phase.name(), from, to));
      fill(phase, from, new SplittableRandom(seed * GOLDEN + stretches.size()));
      from = to;
      lagBefore = phase.get(PhaseField.LAG_SECONDS);
    }
    if (schedule.size() == 0) {
      throw new LoadFailure("the scenario has no events");
    }
  }

  private void fill(Phase phase, long fromNanos, SplittableRandom random) {
    Zipf rank = new Zipf((int) phase.get(PhaseField.TYPES), phase.get(PhaseField.SKEW));
    double stepNanos = 1e9 / phase.get(PhaseField.RATE);
    long events = phase.events();
    for (long i = 0; i < events; i++) {
      long due = fromNanos + (long) ((i + 0.5) * stepNanos);
      if (happens(phase.get(PhaseField.REPEAT_SHARE), random) && repeats(phase, due, random)) {
        continue;
      }
      int type = happens(phase.get(PhaseField.HOT_SHARE), random) ? 0 : rank.draw(random);
      double secondsBehind = behind(phase, (i + 0.5) / events, random);
      long ticks = startTicks + due / 100 - (long) (secondsBehind * Ticks.PER_SECOND);
      schedule.add(due, ticks, type, (int) phase.get(PhaseField.PAYLOAD_BYTES));
    }
  }

  private static boolean happens(double share, SplittableRandom random) {
    return share > 0 && random.nextDouble() < share;
  }

  private boolean repeats(Phase phase, long due, SplittableRandom random) {
    int first = schedule.firstDue(due - (long) (phase.get(PhaseField.REPEAT_SECONDS) * 1e9));
    if (first == schedule.size()) {
      return false;
    }
    schedule.repeat(due, random.nextInt(first, schedule.size()));
    return true;
  }

  /** How far an event's time lies before its sending. */
  private double behind(Phase phase, double passed, SplittableRandom random) {
    double lag = lagBefore + passed * (phase.get(PhaseField.LAG_SECONDS) - lagBefore);
    return happens(phase.get(PhaseField.LATE_SHARE), random)
        ? lag + random.nextDouble() * phase.get(PhaseField.LATE_SECONDS)
        : lag;
  }
}
