package hourglass.ingest.decode;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * How the items of a request become events. Immutable.
 *
 * @param defaultType of items without a type; null: such an item is rejected
 * @param takesBadTimes whether an item with a time that cannot be taken gets that of receipt
 * @param localTimes the zone of times without an offset; null: such a time is a bad one
 * @param identity of events that lack a time or an id
 * @param firstPlace of the first item, for {@link IdentityRule#PLACE}
 */
public record ItemRules(
    FieldMapping mapping,
    @Nullable String defaultType,
    boolean takesBadTimes,
    @Nullable ZoneId localTimes,
    IdentityRule identity,
    long firstPlace) {

  public ItemRules(
      FieldMapping mapping,
      @Nullable String defaultType,
      boolean takesBadTimes,
      @Nullable ZoneId localTimes,
      IdentityRule identity) {
    this(mapping, defaultType, takesBadTimes, localTimes, identity, 0);
  }

  /** Rejects what has no type or a bad time, and recognizes no event without an id. */
  public static ItemRules of(FieldMapping mapping) {
    return new ItemRules(mapping, null, false, null, IdentityRule.NONE);
  }

  public ItemRules with(IdentityRule other) {
    return new ItemRules(mapping, defaultType, takesBadTimes, localTimes, other, firstPlace);
  }

  public ItemRules from(long place) {
    return new ItemRules(mapping, defaultType, takesBadTimes, localTimes, identity, place);
  }
}
