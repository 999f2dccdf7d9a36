package hourglass.ingest.decode;

import hourglass.bucketing.Identity;
import hourglass.bytes.JsonScanner;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state that a thread keeps from one input to the next: the types and the keys of events that
 * it has seen, and arrays. It contains no part of an input. One decoder uses it at a time. Not
 * thread-safe.
 */
public final class DecoderCache {
  final Limits limits;
  final TypeCache types;
  final JsonScanner json;
  final EventFields fields;
  final Identity identity = new Identity();

  private FieldMapping mapping = FieldMapping.DEFAULT;
  private boolean areCloudEvents;
  private @Nullable FieldNames names;

  /**
   * The limits of events. Immutable.
   *
   * @param acceptLate how far an event's time may be before now, or before the time of its record
   * @param acceptEarly how far it may be after now
   * @param maxNesting levels of objects and arrays, with the event as the first
   * @param retention how long the store keeps a type; an older event is rejected
   */
  public record Limits(
      Duration acceptLate,
      Duration acceptEarly,
      int maxEventBytes,
      int maxNesting,
      Function<String, Duration> retention) {}

  public DecoderCache(Limits limits) {
    this.limits = limits;
    this.types = new TypeCache(limits.retention());
    this.json = new JsonScanner(limits.maxNesting());
    this.fields = new EventFields(json);
  }

  /**
   * Returns the names of a mapping's fields. The last ones are kept, since most inputs are alike.
   */
  FieldNames names(FieldMapping wanted, boolean ofCloudEvents) {
    FieldNames known = names;
    if (known != null && areCloudEvents == ofCloudEvents && mapping.equals(wanted)) {
      return known;
    }
    FieldNames made = FieldNames.of(wanted, ofCloudEvents);
    mapping = wanted;
    areCloudEvents = ofCloudEvents;
    names = made;
    return made;
  }
}
