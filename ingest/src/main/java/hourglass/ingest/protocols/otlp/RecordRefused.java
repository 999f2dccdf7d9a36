package hourglass.ingest.protocols.otlp;

import hourglass.ingest.decode.Reason;

/** Refuses a record, which becomes no event; the others of its request may become events. */
final class RecordRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  RecordRefused(Reason reason, String problem) {
    super(problem, null, false, false);
    this.reason = reason;
  }

  static RecordRefused against(String problem) {
    return new RecordRefused(Reason.RECORD, "record: " + problem);
  }

  /** Refuses a record with an object or array at a level beyond {@code max}. */
  static void ifDeeper(int level, int max) {
    if (level > max) {
      throw new RecordRefused(Reason.NESTING, "event: nested deeper than " + max + " levels");
    }
  }

  Reason reason() {
    return reason;
  }

  String problem() {
    return String.valueOf(getMessage());
  }
}
