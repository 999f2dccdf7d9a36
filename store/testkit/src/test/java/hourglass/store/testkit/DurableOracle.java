package hourglass.store.testkit;

import hourglass.store.ForwardingStore;
import hourglass.store.Limitation;
import hourglass.store.WideColumnStore;
import java.util.Set;

/** A store that a later one on the same oracle finds again. */
final class DurableOracle extends ForwardingStore {
  private static final WideColumnStore CLOSED = closed();

  private volatile WideColumnStore delegate;
  private final Set<Limitation> limitations;

  DurableOracle(OracleStore kept, Set<Limitation> limitations) {
    this.delegate = kept;
    this.limitations = limitations;
  }

  private static WideColumnStore closed() {
    OracleStore store = new OracleStore();
    store.close();
    return store;
  }

  @Override
  protected WideColumnStore delegate() {
    return delegate;
  }

  @Override
  public Set<Limitation> limitations() {
    return limitations;
  }

  @Override
  public void close() {
    delegate = CLOSED;
  }
}
