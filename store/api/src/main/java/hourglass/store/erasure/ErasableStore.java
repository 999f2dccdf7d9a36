package hourglass.store.erasure;

import hourglass.store.WideColumnStore;

/**
 * A store that can erase single columns. It does not hide them by itself: {@link ErasingStore} does
 * so for every engine.
 */
public interface ErasableStore extends WideColumnStore {
  /** Returns the erasures of this store; the same object each time. */
  ErasureJournal erasures();
}
