package hourglass.ingest.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.decode.IdentityRule;
import io.vertx.core.Handler;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.junit.jupiter.api.Test;

/** The events of a push grow as those of the last one did, within bounds. */
class ForeseenBytesTest {
  private final PushProtocol protocol =
      new PushProtocol("some", PushRules.ofProtocol("some", IdentityRule.NONE)) {
        @Override
        public void mount(Router router, IngestRoutes pushes) {}

        @Override
        public void mountForm(Router router, Handler<RoutingContext> form) {}

        @Override
        public void refuse(RoutingContext ctx, PushRefused refused) {}
      };

  @Test
  void theFirstEstimateIsTheSizeOfTheBody() {
    assertThat(protocol.likelyBytes(1000)).isEqualTo(1000);
  }

  @Test
  void theNextEstimateFollowsTheLastGrowth() {
    protocol.converted(1000, 2500);
    assertThat(protocol.likelyBytes(2000)).isBetween(5000, 5500);
    protocol.converted(1000, 10);
    assertThat(protocol.likelyBytes(2000)).isEqualTo(2000);
  }

  @Test
  void growthOfUnusualPushesIsCapped() {
    protocol.converted(0, 100);
    assertThat(protocol.likelyBytes(1000)).isEqualTo(4000);
    assertThat(protocol.likelyBytes(16 << 20)).isEqualTo(16 << 20);
  }
}
