package hourglass.store.testkit;

import hourglass.store.WideColumnStore;

class OracleStoreTest extends WideColumnStoreContract implements ErasureContract {

  @Override
  protected WideColumnStore open() {
    return new OracleStore();
  }

  @Override
  protected void seal(WideColumnStore opened) {
    ((OracleStore) opened).sealNow();
  }
}
