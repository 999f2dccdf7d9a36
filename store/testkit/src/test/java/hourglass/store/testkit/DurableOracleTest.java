package hourglass.store.testkit;

import hourglass.store.Limitation;
import hourglass.store.WideColumnStore;
import java.util.Set;
import org.junit.jupiter.api.Nested;

/** The contract is satisfiable for a store that keeps everything, whether it seals or not. */
class DurableOracleTest {

  @Nested
  class WithoutLimitations extends WideColumnStoreContract {
    private final OracleStore kept = new OracleStore();

    @Override
    protected WideColumnStore open() {
      return new DurableOracle(kept, Set.of());
    }

    @Override
    protected void seal(WideColumnStore opened) {
      kept.sealNow();
    }
  }

  @Nested
  class NeverSealing extends WideColumnStoreContract {
    private final OracleStore kept = new OracleStore();

    @Override
    protected WideColumnStore open() {
      return new DurableOracle(kept, Set.of(Limitation.NEVER_SEALS));
    }

    @Override
    protected void seal(WideColumnStore opened) {
      throw new AssertionError("asked to seal what never seals");
    }
  }
}
