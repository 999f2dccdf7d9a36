package hourglass.ingest.decode;

import hourglass.ingest.decode.EventFields.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The rules of the CloudEvents 1.0 specification and its JSON format. */
final class CloudEventRules {
  private static final int[] REQUIRED = {
    FieldNames.CE_ID, FieldNames.CE_SOURCE, FieldNames.CE_TYPE
  };
  private static final int[] OPTIONAL = {
    FieldNames.CE_TIME,
    FieldNames.CE_DATACONTENTTYPE,
    FieldNames.CE_DATASCHEMA,
    FieldNames.CE_SUBJECT
  };

  private CloudEventRules() {}

  /** The violated rule of a scanned event, or null. */
  static @Nullable String check(byte[] b, EventFields fields, FieldNames names) {
    String version = text(b, fields, FieldNames.CE_SPECVERSION);
    if (!version.equals("1.0")) {
      return "specversion: \"" + version + "\", want \"1.0\"";
    }
    for (int slot : REQUIRED) {
      if (!fields.kind(slot).isText() || fields.from(slot) == fields.to(slot)) {
        return names.text(slot) + ": missing, want a string that is not empty";
      }
    }
    for (int slot : OPTIONAL) {
      if (!fields.kind(slot).isMissing() && !fields.kind(slot).isText()) {
        return names.text(slot) + ": not a string";
      }
    }
    return data(b, fields);
  }

  private static String text(byte[] b, EventFields fields, int slot) {
    return fields.kind(slot).isText() ? JsonText.shown(b, fields.from(slot), fields.to(slot)) : "";
  }

  private static @Nullable String data(byte[] b, EventFields fields) {
    Kind base64 = fields.kind(FieldNames.CE_DATA_BASE64);
    if (base64.isMissing()) {
      return null;
    }
    if (!fields.kind(FieldNames.CE_DATA).isMissing()) {
      return "data and data_base64: both given";
    }
    int from = fields.from(FieldNames.CE_DATA_BASE64);
    int to = fields.to(FieldNames.CE_DATA_BASE64);
    return base64.isText() && isBase64(JsonText.text(b, from, to))
        ? null
        : "data_base64: not base64";
  }

  private static boolean isBase64(String text) {
    try {
      Base64.getDecoder().decode(text.getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
