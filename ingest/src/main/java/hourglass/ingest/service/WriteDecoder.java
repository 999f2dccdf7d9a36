package hourglass.ingest.service;

import hourglass.access.Client;
import hourglass.bucketing.FixedShards;
import hourglass.ingest.decode.ColumnNamer;
import hourglass.ingest.decode.DecodedItem;
import hourglass.ingest.decode.EventDecoder;
import hourglass.ingest.decode.ItemCursor;
import hourglass.ingest.decode.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one input into writes, each up to {@link IngestOptions#WRITE_BYTES_MAX}. Not thread-safe.
 */
final class WriteDecoder {
  private final FixedShards shards;
  private final ItemCursor items;
  private final Client client;
  private final ColumnNamer namer;
  private final RejectedItems rejected;
  private final @Nullable PushReport report;

  private boolean hasEnded;
  private boolean hasReadAhead;
  private boolean bodyRefused;

  /** The parts that a thread keeps from one write to the next. */
  record Kept(EventDecoder.Kept decoder, WriteBuilder.Sizes sizes) {}

  /**
   * Begins an input.
   *
   * @param client the sender; events of types that it may not push are rejected
   * @param report gets the accepted events; null if the sender wants none
   */
  WriteDecoder(
      FixedShards shards,
      ItemCursor items,
      Client client,
      ColumnNamer namer,
      RejectedItems rejected,
      @Nullable PushReport report) {
    this.shards = shards;
    this.items = items;
    this.client = client;
    this.namer = namer;
    this.rejected = rejected;
    this.report = report;
  }

  /** The length of the input in bytes. */
  int length() {
    return items.length();
  }

  /** About the bytes of all events, from which the memory of a write is reserved. */
  long eventBytes() {
    return items.eventBytes();
  }

  /** Whether {@link #next} has returned the last write. */
  boolean hasEnded() {
    return hasEnded;
  }

  /**
   * Decodes until a write is full or the input ends. An empty write means that the input has ended.
   *
   * @param kept the parts of the calling thread
   */
  PendingWrite next(Kept kept, long nowTicks) {
    WriteBuilder batch =
        new WriteBuilder(shards, kept.sizes, IngestOptions.WRITE_BYTES_MAX, items.length());
    try (EventDecoder decoder =
        new EventDecoder(kept.decoder, items, namer, client.types(), nowTicks)) {
      while (!hasEnded && !batch.isFull()) {
        DecodedItem item = decoder.next(rejected.explainsNext());
        if (item == null) {
          hasEnded = true;
        } else if (item.reason == null) {
          batch.add(item);
          if (report != null) {
            report.accept(item);
          }
        } else {
          reject(item, item.reason, nowTicks);
        }
      }
      if (!hasEnded && !hasReadAhead) {
        hasReadAhead = true;
        DecodedItem broken = decoder.readAhead();
        if (broken != null && broken.reason != null) {
          reject(broken, broken.reason, nowTicks);
        }
      }
    }
    if (bodyRefused) {
      if (report != null) {
        report.discardAccepted();
      }
      return PendingWrite.EMPTY;
    }
    if (hasEnded && items.index() < 0) {
      rejected.addEmptyBody(nowTicks);
    }
    return batch.build();
  }

  private void reject(DecodedItem item, Reason reason, long nowTicks) {
    bodyRefused |= item.isBodyBroken;
    hasEnded |= bodyRefused;
    rejected.add(item, reason, nowTicks);
  }
}
