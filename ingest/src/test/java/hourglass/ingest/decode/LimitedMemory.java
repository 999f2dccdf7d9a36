package hourglass.ingest.decode;

/** All memory up to a limit. Not thread-safe. */
public final class LimitedMemory implements Memory {
  private final long max;
  private long held;
  private long peak;

  public LimitedMemory(long max) {
    this.max = max;
  }

  public long held() {
    return held;
  }

  public long peak() {
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
