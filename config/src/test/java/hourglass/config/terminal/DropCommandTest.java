package hourglass.config.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DropCommandTest {
  private static final String HOUR = "2026-11-20T08";

  @Test
  void theServerDeletesTheHourAndTheCountsArePrinted() throws Exception {
    String body = "{\"dropped\":{\"rows\":3,\"events\":120000,\"bytes\":31457280}}";
    try (CannedServer server = new CannedServer(CannedServer.whole("", body))) {
      Asked asked = Asked.run("drop", "--hour", HOUR, "--target", server.url());
      assertThat(asked.exit()).as(asked.err()).isZero();
      assertThat(asked.out())
          .isEqualTo(HOUR + ": dropped 120,000 events, 31,457,280 bytes, in 3 rows\n");
      assertThat(server.requests())
          .singleElement()
          .asString()
          .startsWith("DELETE /api/v1/hours/" + HOUR);
    }
  }

  @Test
  void aTypeIsAParameterOfTheRequest() throws Exception {
    String body = "{\"dropped\":{\"rows\":1,\"events\":2,\"bytes\":3}}";
    try (CannedServer server = new CannedServer(CannedServer.whole("", body))) {
      Asked asked =
          Asked.run("drop", "--hour", HOUR, "--type", "shop.cart&x", "--target", server.url());
      assertThat(asked.exit()).as(asked.err()).isZero();
      assertThat(server.requests())
          .singleElement()
          .asString()
          .startsWith("DELETE /api/v1/hours/" + HOUR + "?type=shop.cart%26x ");
    }
  }

  @Test
  void anHourWhoseDirectoryIsDamagedHasNoCounts() throws Exception {
    String body = "{\"dropped\":{\"rows\":null,\"events\":null,\"bytes\":null}}";
    Asked asked = Asked.with(CannedServer.whole("", body), "drop", "--hour", HOUR);
    assertThat(asked.exit()).isZero();
    assertThat(asked.out()).startsWith(HOUR + ": dropped; its directory could not be read");
  }

  @Test
  void thePolicyAndTheNextHoursArePrinted() throws Exception {
    String body =
        "{\"policy\":{\"default_s\":null,\"types_s\":{\"canary\":604800},\"max_bytes\":1000000,"
            + "\"max_disk_percent\":null},\"bytes\":900000,\"bytes_per_day\":50000,\"next\":"
            + "[{\"hour\":\"2026-11-20T08\",\"why\":\"max-bytes\",\"at\":\"2026-11-24T07:20:11Z\"}]}";
    Asked asked = Asked.with(CannedServer.whole("", body), "retention");
    assertThat(asked.exit()).as(asked.err()).isZero();
    assertThat(asked.out().lines().map(line -> line.replaceAll(" +", " ").strip()))
        .containsExactly(
            "default keep",
            "canary 7 d",
            "max-bytes 1,000,000 bytes",
            "in use 900,000 bytes",
            "last day 50,000 bytes",
            "hour why at",
            "2026-11-20T08 max-bytes 2026-11-24T07:20:11Z");
  }
}
