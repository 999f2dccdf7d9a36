package hourglass.ingest.decode;

import java.util.Locale;

/** The reasons to reject an event or a request: few enough for metric labels. */
public enum Reason {
  REQUEST("request: a parameter or header that is not allowed"),
  BODY_KIND("body: in a content type or encoding that is not taken"),
  BODY_BYTES("body: too large"),
  BODY_EMPTY("body: no event"),
  BODY_UNREADABLE("body: not as its headers say"),
  NOT_JSON("event: not JSON"),
  NOT_OBJECT("event: not a JSON object"),
  NOT_UTF8("event: not UTF-8"),
  NESTING("event: nested too deep"),
  EVENT_BYTES("event: too large"),
  FIELD_TWICE("field: occurs twice"),
  RECORD_FORM("event: not in the form of its protocol"),
  TYPE_MISSING("type: missing"),
  TYPE_KIND("type: not a string"),
  TYPE_TEXT("type: not 1 to 256 bytes of UTF-8"),
  TYPE_NOT_ALLOWED("type: not allowed for this key"),
  TIME_UNREADABLE("time: not a time"),
  TIME_YEARS("time: outside 2000-2099"),
  TIME_EARLY("time: too far in the future"),
  TIME_LATE("time: too old"),
  ID_TEXT("id: half a surrogate pair"),
  CLOUDEVENT("cloudevent: against the specification"),
  RECORD("record: against its protocol"),
  NOT_KEPT("record: of a kind that is not kept"),
  NOT_STORABLE("event: refused by the store for good");

  private final String text;

  Reason(String text) {
    this.text = text;
  }

  /** Returns the reason without values of the event. */
  public String text() {
    return text;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
