package hourglass.ingest.http;

import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.Memory;
import io.vertx.core.buffer.Buffer;

/** Decodes the body of one request in pieces. Its methods are called on an event loop. */
public interface StreamDecoder {
  /**
   * Reads the next piece, and adds the events that end in it.
   *
   * <p>Where memory is short it throws {@link Memory#tooMuch}, at any event. The events added so
   * far are stored. The call is then repeated with the same piece, and continues at that event.
   *
   * @throws PushRefused if the rest cannot be read; the events added so far are stored
   */
  void read(Buffer piece, ConvertedEvents events);

  /** Ends the body. Throws as {@link #read} does. */
  void end(ConvertedEvents events);

  /** Begins to read a request. */
  @FunctionalInterface
  interface Opening {
    /**
     * Returns a decoder of the body.
     *
     * @param memory the memory of all that the decoder holds between two pieces; it is taken back
     *     with the request
     * @throws PushRefused if no event of the body is read
     */
    StreamDecoder open(Memory memory, int maxEventBytes);
  }
}
