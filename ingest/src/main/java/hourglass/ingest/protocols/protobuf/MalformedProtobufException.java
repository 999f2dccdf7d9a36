package hourglass.ingest.protocols.protobuf;

/** Bytes that are no message of protocol buffers. Its message says where and why. */
public final class MalformedProtobufException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedProtobufException(int at, String problem) {
    super("not protobuf at byte " + at + ": " + problem, null, false, false);
  }
}
