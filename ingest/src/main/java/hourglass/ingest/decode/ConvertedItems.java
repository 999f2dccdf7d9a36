package hourglass.ingest.decode;

import hourglass.bytes.JsonScanner;
import hourglass.bytes.Utf8;
import org.jspecify.annotations.Nullable;

/** The records of a protocol. A record that becomes no event does not affect the others. */
final class ConvertedItems extends ItemCursor {
  private final ConvertedEvents events;
  private final int from;
  private final int to;
  private final @Nullable Refusal ofAll;
  private final boolean isPacked;

  ConvertedItems(
      ConvertedEvents events,
      ItemRules rules,
      int from,
      int to,
      @Nullable Refusal ofAll,
      boolean isPacked) {
    super(events.body(), BodyFormat.JSON, rules, from);
    this.events = events;
    this.from = from;
    this.to = to;
    this.ofAll = ofAll;
    this.isPacked = isPacked;
  }

  @Override
  public int length() {
    return from == to ? 0 : events.to(to - 1) - events.from(from);
  }

  @Override
  @Nullable Refusal refusal() {
    return ofAll == null ? events.refusal(index()) : ofAll;
  }

  @Override
  boolean isPacked() {
    return isPacked;
  }

  @Override
  boolean takesNullType() {
    return true;
  }

  /**
   * Returns whether the event is recognized when it is sent again. Clients that repeat would store
   * an old one again and again.
   */
  @Override
  boolean refusesOld() {
    IdentityRule rule = rules.identity();
    boolean isNamed = rule == IdentityRule.BODY || rule == IdentityRule.CONTENT;
    return isNamed || events.id(index()) != null;
  }

  @Override
  boolean isChecked() {
    return !events.isDocument(index());
  }

  @Override
  int envelope() {
    return events.envelope(index());
  }

  @Override
  boolean seek(JsonScanner json) {
    int event = index() + 1;
    if (event == to) {
      return false;
    }
    type = events.type(event);
    ticks = events.ticks(event);
    id = events.id(event);
    at = events.from(event);
    at = events.isDocument(event) ? json.space(b, Utf8.afterMark(b, at, events.to(event))) : at;
    return true;
  }

  @Override
  int end() {
    return events.to(index());
  }
}
