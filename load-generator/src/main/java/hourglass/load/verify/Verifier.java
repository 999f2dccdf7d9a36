package hourglass.load.verify;

import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadLimits;
import hourglass.load.command.Nanos;
import hourglass.load.event.EventKeys;
import hourglass.load.event.Mapping;
import hourglass.load.event.StoredEvent;
import hourglass.load.event.StoredEvent.Mark;
import hourglass.load.verify.DigestComparison.Suspect;
import hourglass.load.verify.Faults.Kind;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Reads all events back and checks for losses, duplicates, order and payloads. Pages and counts
 * must agree with the stream. No other client may write to the range meanwhile. For one run.
 *
 * @param exact whether foreign events are a fault
 * @param faults receives the faults that are found
 */
public record Verifier(
    TargetClient client, boolean exact, Nanos nanos, ProgressLine progress, Faults faults) {
  private static final int PAGES = 5;
  private static final int PAGE_EVENTS = 1_000;

  /** The memory of an event at the worst moment, when the table of the events read grows. */
  private static final int HEAP_BYTES_PER_EVENT = 64;

  /**
   * Verifies one run.
   *
   * @param firstSent the wall clock before the first batch
   * @param lastAnswer the wall clock after the last answer
   * @throws LoadFailure if the target does not answer as documented
   */
  public Verification verify(SentEvents sent, Instant firstSent, Instant lastAnswer)
      throws IOException {
    long start = nanos.now();
    long share = Runtime.getRuntime().maxMemory() / LoadLimits.HEAP_SHARE_OF_DIGESTS;
    int eventsMax = (int) Math.min(share / HEAP_BYTES_PER_EVENT, 1 << 29);
    Expectation expectation = Expectation.of(sent, firstSent, lastAnswer, eventsMax);
    if (expectation.isEmpty()) {
      return new Verification(0, 0, 0, 0, 0, 0, true, 0, faults);
    }
    Mapping mapping = sent.mapping();
    ReadBack read = new ReadBack(expectation, eventsMax, PAGES * PAGE_EVENTS, faults);
    try (ProgressLine.Watch watch =
        progress.watch(() -> FigureText.format("verify: %,d events read back", read.events()))) {
      stream(mapping, expectation, read);
    }
    read.digests.sort();
    DigestComparison comparison =
        new DigestComparison(expectation.stored, expectation.unsure, read.digests, faults);
    if (exact) {
      faults.add(Kind.FOREIGN, comparison.foreign);
    }
    compareTypes(expectation, read.countByType);
    long paged =
        comparePages(mapping, expectation, "asc", read.first, read.events())
            + comparePages(
                mapping, expectation, "desc", List.copyOf(read.newestFirst), read.events());
    describe(sent, expectation, comparison);
    return new Verification(
        comparison.expected,
        comparison.unsureFound,
        read.events(),
        comparison.foreign,
        read.countByType.size(),
        paged,
        expectation.timed,
        (nanos.now() - start) / 1e9,
        faults);
  }

  private void stream(Mapping mapping, Expectation expectation, Consumer<StoredEvent> events) {
    String query = "/api/v1/events?" + expectation.range() + "&limit=all&format=ndjson";
    if (!client.events(query, mapping, events)) {
      faults.add(Kind.INCOMPLETE, "GET " + query);
    }
  }

  private void compareTypes(Expectation expectation, Map<String, Long> streamed) {
    Map<String, Long> counted = client.typeCounts(expectation.range());
    TreeSet<String> types = new TreeSet<>(streamed.keySet());
    types.addAll(counted.keySet());
    for (String type : types) {
      long inStream = streamed.getOrDefault(type, 0L);
      long inCounts = counted.getOrDefault(type, 0L);
      if (inStream != inCounts) {
        faults.add(
            Kind.TYPE_COUNT,
            FigureText.format("%s: %,d in /types, %,d in /events", type, inCounts, inStream));
      }
    }
  }

  /** Compares the pages of one order with the stream. Returns the number of events in the pages. */
  private long comparePages(
      Mapping mapping, Expectation expectation, String order, List<Mark> streamed, long all) {
    String query = "/api/v1/events?" + expectation.range() + "&order=" + order;
    PageWalk walk = PageWalk.read(client, mapping, query, PAGES, PAGE_EVENTS);
    List<Mark> paged = walk.marks;
    boolean ended = walk.cursor == null;
    int common = Math.min(paged.size(), streamed.size());
    for (int i = 0; i < common; i++) {
      if (!paged.get(i).equals(streamed.get(i))) {
        faults.add(
            Kind.PAGES,
            FigureText.format(
                "order=%s, event %,d: %s in the page, %s in the stream",
                order, i, paged.get(i), streamed.get(i)));
        break;
      }
    }
    if (paged.size() != streamed.size() || ended != (paged.size() == all)) {
      faults.add(
          Kind.PAGES,
          FigureText.format(
              "order=%s: %,d events in pages%s, %,d of %,d in the stream",
              order, paged.size(), ended ? " and no more" : "", streamed.size(), all));
    }
    if (walk.incomplete != null) {
      faults.add(Kind.PAGES, "order=" + order + ": " + walk.incomplete);
    }
    return paged.size();
  }

  /** Looks up suspects in the source, and in a second reading of the answer. */
  private void describe(SentEvents sent, Expectation expectation, DigestComparison comparison)
      throws IOException {
    EventKeys keys = new EventKeys(expectation.timed);
    Map<Suspect, Kind> left = comparison.sentSuspects;
    if (!left.isEmpty()) {
      sent.forEach(
          event -> {
            long key = keys.key(event.type(), event.ticks(), event.identity());
            Kind kind = left.remove(new Suspect(key, event.payloadDigest()));
            if (kind != null) {
              faults.show(
                  kind,
                  "sent in batch %d, line %d: %s"
                      .formatted(event.batch(), event.line(), event.text()));
            }
            return !left.isEmpty();
          });
    }
    Map<Suspect, Kind> leftGot = comparison.gotSuspects;
    leftGot.values().removeIf(kind -> kind == Kind.FOREIGN && !exact);
    if (!leftGot.isEmpty()) {
      stream(sent.mapping(), expectation, event -> describe(event, keys, leftGot));
    }
  }

  private void describe(StoredEvent event, EventKeys keys, Map<Suspect, Kind> left) {
    if (left.isEmpty()) {
      return;
    }
    long key = keys.key(event.type(), event.id().ticks(), event.identity());
    Kind kind = left.remove(new Suspect(key, event.dataDigest()));
    if (kind != null) {
      faults.show(kind, "stored as %s: %s".formatted(event.id(), event.excerpt()));
    }
  }
}
