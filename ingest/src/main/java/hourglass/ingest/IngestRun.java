package hourglass.ingest;

import hourglass.bucketing.ShardPolicy;
import hourglass.ingest.Verdicts.ItemError;
import hourglass.ingest.decode.ColumnNamer;
import hourglass.ingest.decode.DecodedItem;
import hourglass.ingest.decode.EventDecoder;
import hourglass.ingest.decode.ItemCursor;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.rows.PendingWrite;
import hourglass.ingest.rows.WriteBuilder;
import java.util.ArrayList;
import java.util.List;

/** One input on its way to the store, in one or several writes. */
final class IngestRun {
  private final ItemCursor items;
  private final ColumnNamer namer;
  private final int errorsListedMax;
  private final IngestMeters meters;
  private final RejectLedger ledger;
  private final List<ItemError> errors = new ArrayList<>();
  private int accepted;
  private int rejected;
  private int untimed;
  private boolean done;
  private boolean hasReadAhead;
  private boolean bodyRefused;

  /**
   * @param errorsListedMax rejected items that are listed one by one; all are counted
   */
  IngestRun(
      ItemCursor items,
      ColumnNamer namer,
      int errorsListedMax,
      IngestMeters meters,
      RejectLedger ledger) {
    this.items = items;
    this.namer = namer;
    this.errorsListedMax = errorsListedMax;
    this.meters = meters;
    this.ledger = ledger;
  }

  /** Whether the input has been decoded to its end. */
  boolean isDone() {
    return done;
  }

  /** Decodes until a write is full or the input ends; an empty write means that it has ended. */
  PendingWrite decode(EventDecoder decoder, ShardPolicy shards, long nowTicks) {
    WriteBuilder batch = new WriteBuilder(shards, IngestOptions.WRITE_BYTES_MAX, items.length());
    decoder.begin(items, namer, nowTicks);
    try {
      while (!done && !batch.isFull()) {
        DecodedItem item = decoder.next(isListed());
        if (item == null) {
          done = true;
        } else if (item.reason() == null) {
          batch.add(item);
        } else {
          reject(item, item.reason(), nowTicks);
        }
      }
      if (!done && !hasReadAhead) {
        hasReadAhead = true;
        DecodedItem broken = decoder.readAhead();
        if (broken != null && broken.reason() != null) {
          reject(broken, broken.reason(), nowTicks);
        }
      }
    } finally {
      decoder.end();
    }
    if (bodyRefused) {
      batch.discard();
      return PendingWrite.EMPTY;
    }
    if (done && items.index() < 0) {
      errors.add(new ItemError(0, Reason.BODY_EMPTY.text()));
      ledger.count(null, Reason.BODY_EMPTY, nowTicks);
    }
    return batch.build();
  }

  /** Whether the next rejection is listed; a flood of them is only counted. */
  private boolean isListed() {
    return errors.size() < errorsListedMax;
  }

  private void reject(DecodedItem item, Reason reason, long nowTicks) {
    rejected++;
    meters.rejected(reason);
    bodyRefused |= item.isBodyBroken();
    done |= bodyRefused;
    String type = item.type() == null ? null : item.type().text();
    if (isListed()) {
      errors.add(new ItemError(item.index(), item.problem()));
      ledger.record(type, reason, item.problem(), nowTicks, item.bytes(), item.from(), item.to());
    } else {
      ledger.count(type, reason, nowTicks);
    }
  }

  /** Counts a write that the store has acknowledged. */
  void stored(PendingWrite write) {
    accepted += write.events();
    untimed += write.untimed();
    meters.accepted(write.events());
  }

  /** The verdicts on all that is decoded and stored. */
  Verdicts verdicts() {
    return new Verdicts(accepted, rejected, untimed, errors);
  }
}
