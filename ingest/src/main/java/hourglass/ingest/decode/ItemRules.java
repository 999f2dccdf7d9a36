package hourglass.ingest.decode;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which the items of a request become events. Immutable.
 *
 * @param defaultType the type of items without one; null if such an item is rejected
 * @param takesBadTimes whether an item with a time that is not accepted gets the time of receipt
 * @param localTimes the zone of times without an offset; null if such a time is a bad one
 * @param identity how events that lack a time or an id are recognized
 * @param firstPlace the place of the first item, for {@link IdentityRule#PLACE}
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

  /**
   * Returns rules that reject items without a type or with a bad time, and recognize no event
   * without an id.
   */
  public static ItemRules of(FieldMapping mapping) {
    return new ItemRules(mapping, null, false, null, IdentityRule.NONE);
  }

  public ItemRules with(IdentityRule other) {
    return new ItemRules(mapping, defaultType, takesBadTimes, localTimes, other, firstPlace);
  }
}
