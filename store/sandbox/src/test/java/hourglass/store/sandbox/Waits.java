package hourglass.store.sandbox;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A server that does nothing and never ends. */
final class Waits {
  private Waits() {}

  public static void main(String[] args) throws InterruptedException {
    System.out.println("waiting");
    new CountDownLatch(1).await();
  }

  static JavaCommand command() {
    return new JavaCommand(
        JavaHome.running(),
        List.of("-Xmx32m"),
        List.of(JavaCommand.codeOf(Waits.class)),
        Waits.class.getName(),
        List.of());
  }
}
