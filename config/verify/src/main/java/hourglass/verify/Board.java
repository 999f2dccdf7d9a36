package hourglass.verify;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Shows the progress of a run: in one line that changes if a terminal reads it, else in a line at
 * most every half minute. Thread-safe.
 */
final class Board {
  private static final Duration PAUSE = Duration.ofSeconds(30);
  private static final Duration PAUSE_OF_TERMINAL = Duration.ofMillis(250);

  private final PrintStream out;
  private final boolean isTerminal;
  private final int jobs;
  private final long beginNanos = System.nanoTime();
  private final Map<String, Counts> running = new LinkedHashMap<>();
  private final List<ClassTime> classes = new ArrayList<>();
  private long shownNanos = beginNanos;
  private int ended;
  private int passed;
  private int failed;
  private int skipped;

  /** The time that the tests of a class took. */
  record ClassTime(String job, String name, long millis) {}

  private static final class Counts {
    int done;
    int known;

    @Override
    public String toString() {
      return known == 0 ? "" : " " + done + "/" + known;
    }
  }

  Board(PrintStream out, boolean isTerminal, int jobs) {
    this.out = out;
    this.isTerminal = isTerminal;
    this.jobs = jobs;
  }

  synchronized void begin(String job) {
    running.put(job, new Counts());
    show(false);
  }

  synchronized void planned(String job, int known) {
    counts(job).known = known;
  }

  synchronized void passed(String job) {
    passed++;
    counts(job).done++;
    show(false);
  }

  synchronized void skipped(String job) {
    skipped++;
    counts(job).done++;
  }

  /** Counts a failed test and prints its name at once, since a run may last long. */
  synchronized void failed(String job, String name) {
    failed++;
    counts(job).done++;
    say("FAILED " + job + " " + name);
  }

  synchronized void classEnded(String job, String name, long millis) {
    classes.add(new ClassTime(job, name, millis));
  }

  synchronized void end(String job, Duration took) {
    String done = counts(job).toString();
    running.remove(job);
    ended++;
    say("%-22s%12s  %5.1f s".formatted(job, done, took.toMillis() / 1e3));
    show(true);
  }

  synchronized List<ClassTime> classes() {
    return List.copyOf(classes);
  }

  synchronized boolean ranNothing() {
    return passed + failed == 0;
  }

  /** Returns the totals, such as "5,931 passed, 1 failed in 7:03". */
  synchronized String totals() {
    String others = failed == 0 ? "" : ", %,d failed".formatted(failed);
    String left = skipped == 0 ? "" : ", %,d skipped".formatted(skipped);
    return "%,d passed%s%s in %s".formatted(passed, others, left, time());
  }

  private Counts counts(String job) {
    return running.computeIfAbsent(job, name -> new Counts());
  }

  /** Prints a line of its own. */
  private void say(String line) {
    out.println((isTerminal ? "\r\033[K" : "") + line);
  }

  private void show(boolean atOnce) {
    long now = System.nanoTime();
    Duration pause = isTerminal ? PAUSE_OF_TERMINAL : PAUSE;
    if (now - shownNanos < pause.toNanos() && !(atOnce && isTerminal)) {
      return;
    }
    shownNanos = now;
    String line =
        running.entrySet().stream()
            .map(job -> job.getKey() + job.getValue())
            .collect(Collectors.joining(", ", time() + "  " + ended + "/" + jobs + "  ", ""));
    if (isTerminal) {
      out.print("\r\033[K" + line.substring(0, Math.min(line.length(), 110)));
      out.flush();
    } else {
      out.println(line);
    }
  }

  private String time() {
    long seconds = (System.nanoTime() - beginNanos) / 1_000_000_000;
    return "%d:%02d".formatted(seconds / 60, seconds % 60);
  }
}
