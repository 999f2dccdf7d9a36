package hourglass.config.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hourglass.store.Retention;
import hourglass.store.cassandra.CassandraOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is set otherwise, or bounded otherwise, where rows are kept on Cassandra. */
class CassandraSettingsTest {
  @TempDir Path folder;

  @Test
  void cassandraTakesWhatTheSandboxPrints() {
    Settings settings =
        Settings.load(
            sources("store.engine=cassandra")
                .onTop("store.cassandra.contact-points=[\"127.0.0.1:9142\", \"127.0.0.2:9142\"]")
                .onTop("store.cassandra.datacenter=datacenter1")
                .onTop("store.cassandra.replication=2"));
    CassandraOptions options = ((StoreOptions.Cassandra) settings.store()).options();
    assertThat(options.contactPoints()).containsExactly("127.0.0.1:9142", "127.0.0.2:9142");
    assertThat(options.datacenter()).isEqualTo("datacenter1");
    assertThat(options.replication()).isEqualTo("2");
    assertThat(settings.rowCacheBytes()).isEqualTo(256 << 20);
  }

  @Test
  void cassandraByDefaultIsThatOfItsOptions() {
    assertThat(set("store.engine=cassandra").store())
        .isEqualTo(new StoreOptions.Cassandra(CassandraOptions.builder().build()));
  }

  @Test
  void cassandraKeepsEventsForEverOrNotTooLong() {
    SettingsSources cassandra = sources("store.engine=cassandra");
    StoreOptions kept =
        Settings.load(cassandra.onTop("retention.default=30d").onTop("retention.types={a=keep}"))
            .store();
    assertThat(kept.retention().forType("a")).isEqualTo(Retention.FOREVER);
    assertThat(kept.retention().forType("b")).isEqualTo(Duration.ofDays(30));
    for (String tooLong : List.of("retention.default=4000d", "retention.types={a=4000d}")) {
      SettingsException refused =
          catchThrowableOfType(
              SettingsException.class, () -> Settings.load(cassandra.onTop(tooLong)));
      assertThat(refused.problems()).first().asString().contains("keep, or at most 3650 d");
      assertThat(set(tooLong).store()).isInstanceOf(StoreOptions.Embedded.class);
    }
  }

  @Test
  void settlesWithinWhatLateArrivalsCover() {
    SettingsSources cassandra = sources("store.engine=cassandra");
    SettingsException tooLong =
        catchThrowableOfType(
            SettingsException.class, () -> Settings.load(cassandra.onTop("query.settle=25 s")));
    assertThat(tooLong.problems())
        .containsExactly(
            "query.settle = 25 s (from --set): not allowed; want at most 20 s, as far as late"
                + " arrivals are read in Cassandra");
    assertThat(Settings.load(cassandra.onTop("query.settle=20 s")).store())
        .isInstanceOf(StoreOptions.Cassandra.class);
    SettingsSources embedded = sources("query.settle=40 s");
    SettingsException tooShort =
        catchThrowableOfType(
            SettingsException.class,
            () -> Settings.load(embedded.onTop("retention.arrivals=1 min")));
    assertThat(tooShort.problems())
        .containsExactly(
            "retention.arrivals = 1 min (from --set): not allowed; want at least 80000 ms, twice"
                + " query.settle");
    assertThat(Settings.load(embedded.onTop("retention.arrivals=80 s")).store())
        .isInstanceOf(StoreOptions.Embedded.class);
  }

  @Test
  void budgetsOfADiskAreRefusedOnCassandra() {
    SettingsSources cassandra = sources("store.engine=cassandra");
    SettingsException refused =
        catchThrowableOfType(
            SettingsException.class,
            () ->
                Settings.load(
                    cassandra
                        .onTop("retention.max-bytes=1 GiB")
                        .onTop("retention.max-disk-percent=90")));
    String why =
        " (from --set): not allowed; want off: the disks are those of Cassandra's nodes, and this"
            + " process does not see them";
    assertThat(refused.problems())
        .containsExactly(
            "retention.max-bytes = 1 GiB" + why, "retention.max-disk-percent = 90" + why);
  }

  @Test
  void replacedDataOutlivesEveryQuery() {
    SettingsSources cassandra = sources("store.engine=cassandra");
    assertThat(graceOf(cassandra)).isEqualTo(Duration.ofHours(1));
    assertThat(graceOf(cassandra.onTop("query.timeout=2 h"))).isEqualTo(Duration.ofHours(2));
  }

  private static Duration graceOf(SettingsSources sources) {
    return ((StoreOptions.Cassandra) Settings.load(sources).store()).options().replaceGrace();
  }

  @Test
  void theRowCacheIsForCassandraUnlessItIsAskedFor() {
    assertThat(set("http.port=0").rowCacheBytes()).isZero();
    assertThat(set("query.row-cache=1 MiB").rowCacheBytes()).isEqualTo(1 << 20);
    assertThat(Settings.load(sources("store.engine=cassandra").onTop("query.row-cache=0")))
        .extracting(Settings::rowCacheBytes)
        .isEqualTo(0L);
  }

  private Settings set(String assignment) {
    return Settings.load(sources(assignment));
  }

  private SettingsSources sources(String assignment) {
    return GivenSettings.set(folder, assignment);
  }
}
