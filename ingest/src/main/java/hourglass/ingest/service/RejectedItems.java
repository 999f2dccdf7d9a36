package hourglass.ingest.service;

import hourglass.ingest.decode.DecodedItem;
import hourglass.ingest.decode.Memory;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.service.Verdicts.ItemError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rejected items of one input, on their way into the ledger, the metrics and the answer. Not
 * thread-safe.
 */
final class RejectedItems {
  /** The estimated memory of one entry in the error list, without the message. */
  private static final long ERROR_BYTES = 64;

  private static final int ERRORS_EXPLAINED_MAX = 1_000;

  private final RejectLedger ledger;
  private final IngestMeters meters;

  /** The most items that are listed. A flood beyond them is only counted. */
  private final int listedMax;

  /**
   * The memory of the list of errors; null where the list is short or its memory is already
   * reserved.
   */
  private final @Nullable Memory memory;

  private final @Nullable PushReport report;
  private final List<ItemError> errors = new ArrayList<>();

  /**
   * The rejections of a request that may still be refused as a whole. It would be repeated then,
   * and they would count twice. Null while there are none.
   */
  private @Nullable RejectLedger held;

  /** Whether the request can no longer be refused as a whole. */
  private boolean isReleased;

  private int count;
  private int notAllowed;

  /** Creates the list. A report, if there is one, gets the errors in its place. */
  RejectedItems(
      RejectLedger ledger,
      IngestMeters meters,
      int listedMax,
      @Nullable Memory memory,
      @Nullable PushReport report) {
    this.ledger = ledger;
    this.meters = meters;
    this.listedMax = listedMax;
    this.memory = memory;
    this.report = report;
  }

  int count() {
    return count;
  }

  int notAllowed() {
    return notAllowed;
  }

  List<ItemError> errors() {
    return errors;
  }

  /** Returns whether the next problem is described with the item's values. */
  boolean explainsNext() {
    return report != null ? report.explainsNext() : isExplained();
  }

  /** Counts the rejections so far, since the request can no longer be refused as a whole. */
  void release() {
    isReleased = true;
    if (held != null) {
      ledger.add(held);
      held.list().forEach(some -> meters.rejected(some.reason(), some.count()));
      held = null;
    }
  }

  private boolean isTrial() {
    return report != null && report.isTrial();
  }

  void addEmptyBody(long nowTicks) {
    if (report != null) {
      report.reject(0, Reason.BODY_EMPTY, Reason.BODY_EMPTY.text());
    } else {
      errors.add(new ItemError(0, Reason.BODY_EMPTY.text()));
    }
    if (!isTrial()) {
      ledger.count(null, Reason.BODY_EMPTY, nowTicks);
    }
  }

  void add(DecodedItem item, Reason reason, long nowTicks) {
    boolean isSample = isExplained();
    if (report != null) {
      report.reject(item, reason);
    } else if (isListed()) {
      list(new ItemError(item.index, item.problem));
    }
    count++;
    notAllowed += reason == Reason.TYPE_NOT_ALLOWED ? 1 : 0;
    if (isTrial()) {
      return;
    }
    RejectLedger into = ledger;
    if (isReleased) {
      meters.rejected(reason);
    } else {
      held = held == null ? new RejectLedger() : held;
      into = held;
    }
    String type = item.type == null ? null : item.type.text;
    if (isSample) {
      into.record(type, reason, item.problem, nowTicks, item.bytes, item.from, item.to);
    } else {
      into.count(type, reason, nowTicks);
    }
  }

  private boolean isListed() {
    return count < listedMax;
  }

  /**
   * Returns whether the next error gets a text of its own. Further ones get the text of their
   * reason, which costs no memory for each.
   */
  private boolean isExplained() {
    return isListed() && (memory == null || count < ERRORS_EXPLAINED_MAX);
  }

  private void list(ItemError error) {
    if (memory != null) {
      long text = isExplained() ? 2L * error.reason().length() : 0;
      if (!memory.add(ERROR_BYTES + text)) {
        throw memory.tooMuch();
      }
    }
    errors.add(error);
  }
}
