package hourglass.store.embedded.disk;

/** Waits that go on through an interrupt, which is kept for the caller. */
public final class Uninterrupted {
  private Uninterrupted() {}

  /** A wait that can be begun again. */
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
