package hourglass.ingest.decode;

import org.jspecify.annotations.Nullable;

/**
 * How the items of a request become events. Immutable.
 *
 * @param defaultType of items without a type; null: such an item is rejected
 * @param takesBadTimes whether an item with a time that cannot be taken gets that of receipt
 * @param takesLocalTimes whether a time without an offset is taken, as UTC
 * @param identity of events with a time and without an id
 */
public record ItemRules(
    FieldMapping mapping,
    @Nullable String defaultType,
    boolean takesBadTimes,
    boolean takesLocalTimes,
    IdentityRule identity) {

  /** Rejects what has no type or a bad time, and recognizes no event without an id. */
  public static ItemRules of(FieldMapping mapping) {
    return new ItemRules(mapping, null, false, false, IdentityRule.NONE);
  }

  public ItemRules with(IdentityRule other) {
    return new ItemRules(mapping, defaultType, takesBadTimes, takesLocalTimes, other);
  }
}
