package hourglass.ingest;

import hourglass.bucketing.ShardPolicy;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.ingest.TypeCache.CachedType;
import hourglass.ingest.Verdicts.ItemError;
import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Items on their way: where the run stands, and the verdicts so far. */
final class IngestRun {
  private final Items items;
  private final TimeUuidGenerator names;
  private final int toldMax;
  private final IngestMeters meters;
  private final RejectLedger ledger;
  private final byte[] b;
  private final BodyCursor cursor;
  private final List<ItemError> errors = new ArrayList<>();
  private int accepted;
  private int rejected;
  private int untimed;
  private int seen;
  private boolean done;
  private boolean checkedAhead;
  private boolean bodyRefused;
  private int batchAccepted;
  private int batchUntimed;

  /**
   * The events of one write.
   *
   * @param mutations those whose rows are known
   * @param unplaced those that have yet to be put into rows
   */
  record Batch(List<Mutation> mutations, List<Unplaced> unplaced, int events, int untimed) {
    static final Batch EMPTY = new Batch(List.of(), List.of(), 0, 0);

    boolean isEmpty() {
      return mutations.isEmpty() && unplaced.isEmpty();
    }

    /** What to write, once all columns have been placed. */
    List<Mutation> placed() {
      List<Mutation> placed = new ArrayList<>(mutations);
      unplaced.forEach(columns -> columns.addTo(placed));
      return placed;
    }
  }

  IngestRun(
      Items items,
      TimeUuidGenerator names,
      IngestOptions options,
      IngestMeters meters,
      RejectLedger ledger) {
    this.items = items;
    this.names = names;
    this.toldMax = items.toldMax(options);
    this.meters = meters;
    this.ledger = ledger;
    this.b = items.bytes();
    this.cursor = items.cursor();
  }

  /** Whether the body has been decoded to its end. */
  boolean isDone() {
    return done;
  }

  /** Decodes until a batch is full or the body ends; an empty batch means that it has ended. */
  Batch decode(EventDecoder decoder, ShardPolicy shards) {
    long nowTicks = names.nowTicks();
    decoder.begin(b, items.mapping(), nowTicks);
    items.begin(decoder);
    BatchBuilder batch = new BatchBuilder(shards, IngestOptions.BATCH_BYTES_MAX, items.length());
    batchAccepted = 0;
    batchUntimed = 0;
    try {
      while (!done && !batch.isFull()) {
        item(decoder, batch, nowTicks);
      }
      if (!done && !checkedAhead) {
        checkedAhead = true;
        refuseBody(cursor.brokenAhead(decoder.json()), cursor.index() + 1, nowTicks);
      }
    } finally {
      decoder.end();
    }
    return finish(batch, nowTicks);
  }

  private Batch finish(BatchBuilder batch, long nowTicks) {
    if (bodyRefused) {
      batch.discard();
      return Batch.EMPTY;
    }
    if (done && seen == 0) {
      errors.add(new ItemError(0, Reason.BODY_EMPTY.text()));
      ledger.count(null, Reason.BODY_EMPTY, nowTicks);
    }
    List<Mutation> mutations = new ArrayList<>();
    List<Unplaced> unplaced = new ArrayList<>();
    batch.build(mutations, unplaced);
    return new Batch(mutations, unplaced, batchAccepted, batchUntimed);
  }

  private void item(EventDecoder decoder, BatchBuilder batch, long nowTicks) {
    JsonScanner json = decoder.json();
    if (!cursor.next(json)) {
      done = true;
      refuseBody(cursor.broken(), 0, nowTicks);
      return;
    }
    seen++;
    int from = cursor.at();
    String unreadable = items.unreadable();
    if (unreadable != null) {
      cursor.passBroken(json);
      reject(Reason.BODY_UNREADABLE, null, unreadable, cursor.index(), nowTicks, from, cursor.at());
      return;
    }
    items.prepare(decoder);
    int to = decoder.scan(from);
    if (to < 0 || !cursor.pass(json, to)) {
      broken(json, from, nowTicks);
      return;
    }
    decoder.explain(isListed());
    Reason reason = decoder.judge(from, to);
    CachedType type = decoder.type();
    if (reason == null && type != null) {
      accept(decoder, batch, type, from, to, nowTicks);
    } else if (reason != null) {
      String name = type == null ? null : type.text();
      reject(reason, name, decoder.problem(), cursor.index(), nowTicks, from, to);
    }
  }

  private void broken(JsonScanner json, int from, long nowTicks) {
    Reason notJson = Reason.NOT_JSON;
    String problem = isListed() ? "event: " + cursor.notJson(json, from, " of it") : notJson.text();
    cursor.passBroken(json);
    String body = cursor.broken();
    bodyRefused = body != null;
    done = bodyRefused;
    reject(
        Reason.NOT_JSON,
        null,
        body == null ? problem : body,
        cursor.index(),
        nowTicks,
        from,
        cursor.brokenEnd());
  }

  private void refuseBody(@Nullable String problem, int index, long nowTicks) {
    if (problem != null) {
      bodyRefused = true;
      done = true;
      reject(Reason.NOT_JSON, null, problem, index, nowTicks, 0, items.length());
    }
  }

  private void accept(
      EventDecoder decoder, BatchBuilder batch, CachedType type, int from, int to, long nowTicks) {
    long lsb;
    if (decoder.hasId()) {
      Long idLsb = decoder.idLsb(type);
      if (idLsb == null) {
        String problem = Reason.ID_TEXT.text();
        reject(Reason.ID_TEXT, type.text(), problem, cursor.index(), nowTicks, from, to);
        return;
      }
      lsb = idLsb;
    } else {
      lsb = items.lsb(decoder.identity(), to);
    }
    batch.add(type, decoder.ticks(), lsb, b, from, to);
    batchAccepted++;
    batchUntimed += decoder.isUntimed() ? 1 : 0;
  }

  /** Whether the next refusal is listed; a flood of them is only counted. */
  private boolean isListed() {
    return errors.size() < toldMax;
  }

  private void reject(
      Reason reason,
      @Nullable String type,
      String problem,
      int index,
      long nowTicks,
      int from,
      int to) {
    rejected++;
    meters.rejected(reason);
    if (isListed()) {
      errors.add(new ItemError(index, problem));
      ledger.record(type, reason, problem, nowTicks, b, from, to);
    } else {
      ledger.count(type, reason, nowTicks);
    }
  }

  /** Counts a batch that the store has taken. */
  void stored(Batch batch) {
    accepted += batch.events();
    untimed += batch.untimed();
    meters.accepted(batch.events());
  }

  /** The verdicts on what has been decoded and stored. */
  Verdicts verdicts() {
    return new Verdicts(accepted, rejected, untimed, errors);
  }
}
