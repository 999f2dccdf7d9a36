package hourglass.ingest.decode;

import hourglass.bucketing.Identity;
import hourglass.bytes.JsonScanner;
import org.jspecify.annotations.Nullable;

/**
 * The state that a thread keeps from one input to the next: the types and the keys of events that
 * it has seen, and arrays. It contains no part of an input. One decoder uses it at a time. Not
 * thread-safe.
 */
public final class DecoderCache {
  final DecoderOptions options;
  final TypeCache types;
  final JsonScanner json;
  final EventFields fields;
  final Identity identity = new Identity();

  private FieldMapping mapping = FieldMapping.DEFAULT;
  private boolean areCloudEvents;
  private @Nullable FieldNames names;

  public DecoderCache(DecoderOptions options) {
    this.options = options;
    this.types = new TypeCache(options.retention());
    this.json = new JsonScanner(options.maxNesting());
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
