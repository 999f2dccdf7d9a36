package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.command.FigureText;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadLimits;
import hourglass.load.lab.Phase.Twist;
import hourglass.load.send.EventShape;
import hourglass.load.send.Zipf;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Makes the events of a scenario. The same arguments produce the same events. For one use.
 *
 * <p>The warm-up is the beginning of the same traffic, with all of its times that much earlier.
 */
final class TrafficGenerator {
  private static final double LATE_SECONDS = 10_800;
  private static final long REPEAT_NANOS = 10_000_000_000L;

  private final List<Phase> phases;
  private final List<String> types;
  private final long seed;
  private final long startTicks;
  private final List<Event> events = new ArrayList<>();

  /** The number of events before the warm-up, or before the start. */
  private int before;

  private TrafficGenerator(List<Phase> phases, List<String> types, long seed, long startTicks) {
    this.phases = phases;
    this.types = types;
    this.seed = seed;
    this.startTicks = startTicks;
  }

  /**
   * Makes a schedule.
   *
   * @param rate the average of events a second
   * @param warmUpNanos the length of the warm-up, at most that of the scenario
   * @throws LoadFailure if there are too many events, or none
   */
  static Schedule schedule(
      Scenario scenario, double rate, double seconds, long warmUpNanos, Hour hour, long seed) {
    List<Phase> phases = scenario.phases(rate, seconds);
    double wanted = phases.stream().mapToLong(Phase::events).sum() + rate * warmUpNanos / 1e9;
    if (wanted > LoadLimits.SCHEDULE_EVENTS_MAX) {
      throw new LoadFailure(
          FigureText.format(
              "the scenario has %,.0f events, want at most %,d, those of its warm-up included",
              wanted, LoadLimits.SCHEDULE_EVENTS_MAX));
    }
    long startTicks = hour.startTicks() + (long) (scenario.startSecond(seconds) * Ticks.PER_SECOND);
    List<String> types = EventShape.typeNames(scenario.types());
    TrafficGenerator generator = new TrafficGenerator(phases, types, seed, startTicks);
    generator.generate(warmUpNanos, warmUpNanos);
    generator.generate(Long.MAX_VALUE, 0);
    if (generator.events.isEmpty()) {
      throw new LoadFailure("the scenario has no events");
    }
    return new Schedule(phases, generator.events, startTicks);
  }

  /** Adds the events that are due before {@code untilNanos}, with times that much earlier. */
  private void generate(long untilNanos, long earlierNanos) {
    before = events.size();
    long from = 0;
    double lag = 0;
    for (int i = 0; i < phases.size(); i++) {
      fill(i, from, lag, untilNanos, earlierNanos);
      from += phases.get(i).nanos();
      lag = phases.get(i).amount(Twist.LAGGING);
    }
  }

  private void fill(
      int number, long fromNanos, double lagBefore, long untilNanos, long earlierNanos) {
    Phase phase = phases.get(number);
    SplittableRandom random = new SplittableRandom(seed * Event.GOLDEN + number + 1);
    Zipf rank = new Zipf(phase.types(), phase.skew());
    double stepNanos = 1e9 / phase.rate();
    for (long i = 0; i < phase.events(); i++) {
      long due = fromNanos + (long) ((i + 0.5) * stepNanos);
      if (due >= untilNanos) {
        return;
      }
      Event first =
          happens(phase, Twist.REPEATED, random) ? recent(due - earlierNanos, random) : null;
      if (first != null) {
        add(due - earlierNanos, first.ticks(), first.type(), first.original(), number);
      } else {
        int type = happens(phase, Twist.HOT, random) ? 0 : rank.draw(random);
        double passed = (i + 0.5) / phase.events();
        double behind = lagBefore + passed * (phase.amount(Twist.LAGGING) - lagBefore);
        if (happens(phase, Twist.LATE, random)) {
          behind += random.nextDouble() * LATE_SECONDS;
        }
        long ticks =
            startTicks + due / 100 - earlierNanos / 100 - (long) (behind * Ticks.PER_SECOND);
        add(due - earlierNanos, ticks, types.get(type), events.size(), number);
      }
    }
  }

  /** Returns an event of the ten seconds before a time, or null if there is none. */
  private @Nullable Event recent(long dueNanos, SplittableRandom random) {
    List<Event> since = events.subList(before, events.size());
    int earliest = Schedule.firstDue(since, dueNanos - REPEAT_NANOS);
    return earliest == since.size() ? null : since.get(random.nextInt(earliest, since.size()));
  }

  private void add(long due, long ticks, String type, int original, int phase) {
    events.add(new Event(due, ticks, type, original, phase));
  }

  private static boolean happens(Phase phase, Twist twist, SplittableRandom random) {
    return phase.amount(twist) > 0 && random.nextDouble() < phase.amount(twist);
  }
}
