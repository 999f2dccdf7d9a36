package hourglass.query.http;

import hourglass.query.Chunk;
import java.util.function.Consumer;

/** The connection of a tail to its client. Its methods may be called on any thread. */
public interface TailConnection {

  /**
   * Sets the task that runs when the client is gone. Call it on the event loop, before all other
   * methods.
   */
  void onGone(Runnable gone);

  /** Begins the answer; the tail's text follows. */
  void begin();

  /** Writes a chunk, and gives it back once it is written. */
  void write(Chunk chunk, Consumer<Chunk> onWritten);

  /** Shows the client, about each second, that the connection lives. */
  void ping();

  /** Ends the connection in order. If it has not begun, the client receives an error. */
  void end(Failure failure);

  /** Ends the connection without waiting for bytes that the client does not read. */
  void cut(Failure failure);
}
