package hourglass.store.embedded.disk;

/** Runs waits that continue through an interrupt, and restores the interrupt for the caller. */
public final class Uninterrupted {
  private Uninterrupted() {}

  public interface Wait {
    void await() throws InterruptedException;
  }

  public static void await(Wait wait) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          wait.await();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
