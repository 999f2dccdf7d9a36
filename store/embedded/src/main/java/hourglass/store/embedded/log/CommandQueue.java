package hourglass.store.embedded.log;

import hourglass.store.UnavailableException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The commands that wait for the log's thread. The memory budget bounds them, since each write
 * reserves its bytes before. Thread-safe.
 */
final class CommandQueue {
  /**
   * The size at which a group is full. A larger group would cost more in delay than it saves in
   * forces.
   */
  private static final long GROUP_BYTES_MAX = 8 << 20;

  private final BlockingQueue<LogCommand> waiting = new LinkedBlockingQueue<>();
  private boolean isClosed;

  /** Returns the future of the command, or a failed one if a stop was submitted before. */
  synchronized CompletableFuture<Void> submit(LogCommand command) {
    if (isClosed) {
      return CompletableFuture.failedFuture(new UnavailableException("the store is closed"));
    }
    isClosed = command instanceof LogCommand.Stop;
    waiting.add(command);
    return command.done();
  }

  /** Waits for a command, and takes it with others up to a full group; false if interrupted. */
  boolean takeGroup(List<LogCommand> group) {
    try {
      LogCommand next = waiting.take();
      long bytes = 0;
      while (next != null) {
        group.add(next);
        bytes += next instanceof LogCommand.Write write ? write.bytes() : 0;
        next = bytes < GROUP_BYTES_MAX ? waiting.poll() : null;
      }
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }
}
