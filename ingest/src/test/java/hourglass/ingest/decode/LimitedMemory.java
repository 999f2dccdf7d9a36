package hourglass.ingest.decode;

/** All memory up to a limit. */
final class LimitedMemory implements Memory {
  private final long max;
  private long held;
  private long peak;

  LimitedMemory(long max) {
    this.max = max;
  }

  long held() {
    return held;
  }

  long peak() {
    return peak;
  }

  @Override
  public boolean add(long bytes) {
    if (held + bytes > max) {
      return false;
    }
    held += bytes;
    peak = Math.max(peak, held);
    return true;
  }

  @Override
  public void subtract(long bytes) {
    held -= bytes;
  }

  @Override
  public RuntimeException tooMuch() {
    return new IllegalStateException("too much");
  }

  @Override
  public RuntimeException tooLarge(String problem) {
    return new IllegalArgumentException(problem);
  }
}
