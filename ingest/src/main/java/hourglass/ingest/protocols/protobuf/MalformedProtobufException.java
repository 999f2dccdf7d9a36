package hourglass.ingest.protocols.protobuf;

/**
 * Reports bytes that are no message of protocol buffers. Its message contains the position and the
 * reason.
 */
public final class MalformedProtobufException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedProtobufException(int at, String problem) {
    super("not protobuf at byte " + at + ": " + problem, null, false, false);
  }
}
