package hourglass.store.embedded;

/** Waits that go on through an interrupt, which is kept for the caller. */
final class Uninterrupted {
  private Uninterrupted() {}

  /** A wait that can be begun again. */
  interface Wait {
    void await() throws InterruptedException;
  }

  static void await(Wait wait) {
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
