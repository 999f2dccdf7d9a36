package hourglass.query.http;

import hourglass.query.Chunk;
import java.util.function.Consumer;

/** The connection of a tail to its client. Its methods may be called on any thread. */
public interface TailConnection {

  /** Call it on the event loop, before all others. */
  void onGone(Runnable gone);

  /** Begins with the tail's text. */
  void begin();

  /** Gives the chunk back once it is written. */
  void write(Chunk chunk, Consumer<Chunk> onWritten);

  /** Shows the client, each second or so, that the connection lives. */
  void ping();

  /** Ends in order. Before the beginning, the client gets an error. */
  void end(Failure failure);

  /** Ends without a wait for bytes that the client does not read. */
  void cut(Failure failure);
}
