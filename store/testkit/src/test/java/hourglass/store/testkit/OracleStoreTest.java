package hourglass.store.testkit;

import hourglass.store.WideColumnStore;

/** The oracle passes the contract that it is used to check. */
class OracleStoreTest extends WideColumnStoreContract {

  @Override
  protected WideColumnStore open() {
    return new OracleStore();
  }

  @Override
  protected void seal(WideColumnStore opened) {
    ((OracleStore) opened).sealNow();
  }
}
