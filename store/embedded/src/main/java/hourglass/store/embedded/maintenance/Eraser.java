package hourglass.store.embedded.maintenance;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.erasure.StoredErasures;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.log.LogWriter;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.Placeholders;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Removes the bytes of erased columns, one erasure after the other, in short steps. Each step can
 * be repeated, and a start begins again, so a crash at any moment leaves an erasure that goes on.
 * Not thread-safe.
 *
 * <pre>
 * FLUSH   skip a log group, move all before it into pages, cut the log
 * PAGES   write pages without the columns, with the skipped group; FLUSH again for a newer row
 * INDEXES write pages that share an index with replaced ones
 * FILES   rewrite page files that have bytes not in use, until none has those of the columns
 * NOTES   rewrite files of late arrivals and first times
 * DELETE  wait until no read uses a replaced file
 * CHECK   look at the pages again; begin again if a column came back
 * </pre>
 */
public final class Eraser {
  /** The period at which {@link #pass} must be called. */
  public static final Duration PASS_EVERY = Duration.ofSeconds(1);

  private static final String BACKUP_READS = "a backup reads files that are to be replaced";

  /** The passes after which an erasure that failed is tried again; the pause doubles each time. */
  private static final int PASSES_A_RETRY = 10;

  /** The longest pause, ten minutes: a hindrance that lasts is for a person to remove. */
  private static final int PASSES_A_RETRY_MAX = 600;

  private final StoredErasures erasures;
  private final LogWriter log;
  private final Flusher flusher;
  private final ErasedPages pages;
  private final ErasedFiles files;
  private final LateArrivalIndex lateArrivals;
  private final FirstTimeIndex firstTimes;

  /** Whether a backup reads files of late arrivals, first times and erasures. */
  private final BooleanSupplier areFilesKept;

  private final RetentionClock clock;
  private final CloseDeadline deadline;

  private @Nullable Work work;

  /** The erasures that failed. */
  private final Map<TimeUuid, Pause> failed = new HashMap<>();

  /**
   * The pause of an erasure that failed.
   *
   * @param left the passes until the next attempt
   * @param passes how many it had
   */
  private record Pause(int left, int passes) {
    private static final Pause NONE = new Pause(0, PASSES_A_RETRY / 2);

    private Pause passed() {
      return new Pause(Math.max(0, left - 1), passes);
    }

    private Pause longer() {
      int next = Math.min(2 * passes, PASSES_A_RETRY_MAX);
      return new Pause(next, next);
    }
  }

  private enum Step {
    FLUSH,
    PAGES,
    INDEXES,
    FILES,
    NOTES,
    DELETE,
    CHECK
  }

  /** The erasure that is under way. */
  private static final class Work {
    private final Erasure erasure;
    private final Map<TypeHour, Columns> names;
    private final Set<Hour> hours;
    private final Deque<Hour> hoursLeft = new ArrayDeque<>();
    private final Deque<Long> notesLeft = new ArrayDeque<>();

    /** The walk that rewrites pages, and then the one that checks them. */
    private TypeHourWalk walk;

    private long group;
    private Step next = Step.FLUSH;

    /** Whether {@link #next} waits for others, so that it is only tried by the next pass. */
    private boolean waits;

    private Work(Erasure erasure, Map<TypeHour, Columns> names) {
      this.erasure = erasure;
      this.names = names;
      this.hours = names.keySet().stream().map(TypeHour::hour).collect(Collectors.toSet());
      this.walk = new TypeHourWalk(names.keySet());
    }

    /** Returns the work of an erasure in all rows of its type hours, since copies may be there. */
    private static Work of(Erasure erasure) {
      Map<TypeHour, List<Columns>> names = new HashMap<>();
      for (ErasedRow row : erasure.rows()) {
        names.computeIfAbsent(row.row().typeHour(), any -> new ArrayList<>()).add(row.names());
      }
      return new Work(
          erasure,
          names.entrySet().stream()
              .collect(
                  Collectors.toMap(Map.Entry::getKey, each -> Columns.merge(each.getValue()))));
    }

    private Columns withPlaceholders(RowKey row, Columns late) {
      Columns erased = names.get(row.typeHour());
      return erased == null ? late : Placeholders.replace(late, erased::contains);
    }
  }

  public Eraser(
      StoredErasures erasures,
      LogWriter log,
      Flusher flusher,
      ErasedPages pages,
      ErasedFiles files,
      LateArrivalIndex lateArrivals,
      FirstTimeIndex firstTimes,
      BooleanSupplier areFilesKept,
      RetentionClock clock,
      CloseDeadline deadline) {
    this.erasures = erasures;
    this.log = log;
    this.flusher = flusher;
    this.pages = pages;
    this.files = files;
    this.lateArrivals = lateArrivals;
    this.firstTimes = firstTimes;
    this.areFilesKept = areFilesKept;
    this.clock = clock;
    this.deadline = deadline;
  }

  /**
   * Goes on for a limited time. If false, there is more to do, after waiting tasks. It is true if
   * the rest waits for the next turn.
   */
  public boolean pass() {
    failed.replaceAll((id, pause) -> pause.passed());
    return goOn();
  }

  /** Goes on like {@link #pass}, in the same turn. */
  public boolean goOn() {
    long beganNanos = System.nanoTime();
    do {
      Work now = work == null ? nextWork() : work;
      work = now;
      if (now == null || deadline.isClosing()) {
        return true;
      }
      if (!tryStep(now)) {
        return true;
      }
    } while (System.nanoTime() - beganNanos < SectionMerger.PASS_NANOS_MAX);
    return false;
  }

  /** Forgets the hashes of erasures that were done longer ago. */
  public void forget(Duration remember) throws IOException {
    erasures.forget(clock.instant().minus(remember));
  }

  private @Nullable Work nextWork() {
    return erasures.rewriting().stream()
        .filter(erasure -> failed.getOrDefault(erasure.id(), Pause.NONE).left() == 0)
        .findFirst()
        .map(Work::of)
        .orElse(null);
  }

  /** Does a step; false if the work waits. A failure leaves it for later, and others go on. */
  private boolean tryStep(Work now) {
    TimeUuid id = now.erasure.id();
    try {
      now.waits = false;
      Step next = step(now);
      if (next == null) {
        work = null;
        failed.remove(id);
      } else {
        now.next = next;
      }
      return !now.waits;
    } catch (IOException | RuntimeException | Error e) { // an Error would end in a log only
      Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
      erasures.failed(id, reason(cause));
      failed.merge(id, Pause.NONE.longer(), (pause, first) -> pause.longer());
      work = null;
      return true;
    }
  }

  private static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message != null && !(failure instanceof IOException) ? message : FileProblem.of(failure);
  }

  /** Does the next step, and returns the one after it; null if the erasure is done. */
  private @Nullable Step step(Work now) throws IOException {
    return switch (now.next) {
      case FLUSH -> flush(now);
      case PAGES -> rewritePages(now);
      case INDEXES -> rewriteIndexed(now);
      case FILES -> files.rewriteSome(now.hours) ? beginNotes(now) : Step.FILES;
      case NOTES -> eraseNotes(now);
      case DELETE ->
          files.deleteUnused()
              ? begin(now, Step.CHECK)
              : waiting(now, Step.DELETE, "a query or a backup reads files that are to be deleted");
      case CHECK -> check(now);
    };
  }

  private Step waiting(Work now, Step step, String reason) {
    now.waits = true;
    erasures.waits(now.erasure.id(), reason);
    return step;
  }

  private Step flush(Work now) throws IOException {
    files.refuseImmovable(now.hours); // before anything is done that the end would lack
    now.group = log.skipGroup().join();
    if (!flusher.flush()) {
      flusher.check();
      throw new UnavailableException("the store is closing");
    }
    return rewritePages(now); // in the same step, before another flush gives rows newer groups
  }

  private Step rewritePages(Work now) throws IOException {
    if (!now.walk.isOver()) {
      return pages.rewriteNext(now.walk, erasures.current(), now.group) ? Step.PAGES : Step.FLUSH;
    }
    now.hoursLeft.addAll(now.hours);
    return Step.INDEXES;
  }

  private Step rewriteIndexed(Work now) throws IOException {
    Hour hour = now.hoursLeft.peek();
    if (hour == null) {
      files.begin(now.hours);
      return Step.FILES;
    }
    if (pages.rewriteIndexed(hour)) {
      now.hoursLeft.remove();
    }
    return Step.INDEXES;
  }

  /** Blanked columns keep their names, which are all that these files have. */
  private Step beginNotes(Work now) throws IOException {
    if (!now.erasure.blanked().isEmpty()) {
      return Step.DELETE;
    }
    if (areFilesKept.getAsBoolean()) {
      return waiting(now, Step.FILES, BACKUP_READS);
    }
    now.notesLeft.addAll(lateArrivals.beginChanges());
    return Step.NOTES;
  }

  private Step eraseNotes(Work now) throws IOException {
    if (areFilesKept.getAsBoolean()) {
      return waiting(now, Step.NOTES, BACKUP_READS);
    }
    Long number = now.notesLeft.poll();
    if (number != null) {
      lateArrivals.change(number, now::withPlaceholders);
      return Step.NOTES;
    }
    Set<Long> identities = new HashSet<>();
    for (Columns names : now.names.values()) {
      IntStream.range(0, names.size()).forEach(i -> identities.add(names.lsb(i)));
    }
    firstTimes.erase(identities::contains);
    return Step.DELETE;
  }

  private @Nullable Step check(Work now) throws IOException {
    if (!now.walk.isOver()) {
      if (pages.hasAny(now.walk, erasures.current())) {
        return begin(now, Step.FLUSH);
      }
      return Step.CHECK;
    }
    if (areFilesKept.getAsBoolean()) {
      return waiting(now, Step.CHECK, BACKUP_READS);
    }
    // The points of backups, which are made by the system clock, must not seem to be later.
    erasures.done(now.erasure.id(), clock.latest());
    return null;
  }

  /** Begins a step that walks over all rows. */
  private static Step begin(Work now, Step step) {
    now.walk = new TypeHourWalk(now.names.keySet());
    return step;
  }
}
