package hourglass.ingest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import io.vertx.core.MultiMap;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PushRulesTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static MultiMap parameters(String... pairs) {
    MultiMap parameters = MultiMap.caseInsensitiveMultiMap();
    for (String pair : pairs) {
      parameters.add(pair.split("=", 2)[0], pair.split("=", 2)[1]);
    }
    return parameters;
  }

  private static PushRules rules(
      String defaultType,
      boolean takesBadTimes,
      @Nullable ZoneId localTimes,
      boolean refusesWith200,
      IdentityRule identity) {
    return new PushRules(
        new ItemRules(FieldMapping.DEFAULT, defaultType, takesBadTimes, localTimes, identity),
        refusesWith200);
  }

  @Test
  void parametersComeBeforeSettings() {
    PushRules settings = rules("logs", true, BERLIN, true, IdentityRule.CONTENT);
    assertThat(settings.with(parameters())).isEqualTo(settings);
    assertThat(
            settings.with(
                parameters(
                    "default_type=other",
                    "on_bad_time=refuse",
                    "time_zone=refuse",
                    "on_refused=400",
                    "identity=none")))
        .isEqualTo(rules("other", false, null, false, IdentityRule.NONE));
    assertThat(
            PushRules.DEFAULTS.with(
                parameters(
                    "default_type=x",
                    "on_bad_time=receipt",
                    "time_zone=Europe/Berlin",
                    "on_refused=200",
                    "identity=body")))
        .isEqualTo(rules("x", true, BERLIN, true, IdentityRule.BODY));
  }

  @Test
  void parametersApplyToTheItems() {
    MultiMap parameters = parameters("type_field=kind", "time_zone=UTC", "identity=content");
    assertThat(PushRules.DEFAULTS.with(parameters).items())
        .isEqualTo(
            new ItemRules(
                FieldMapping.of(name -> name.equals("type_field") ? "kind" : null),
                "events",
                false,
                ZoneOffset.UTC,
                IdentityRule.CONTENT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "on_bad_time=now ~ on_bad_time: \"now\", want one of refuse, receipt",
        "time_zone=utc+ ~ time_zone: \"utc+\", want refuse, UTC, or a time zone",
        "on_refused=500  ~ on_refused: \"500\", want one of 400, 200",
        "identity=ids    ~ identity: \"ids\", want one of none, body, content, place, id",
        "identity=BODY   ~ identity: \"BODY\", want one of none, body, content, place, id",
        "time_zone=Mars/Base ~ time_zone: \"Mars/Base\", want refuse, UTC, or a time zone",
        "nope=1          ~ parameter \"nope\": unknown, want one of",
      })
  void refusesInvalidValues(String parameter, String problem) {
    assertThatThrownBy(() -> PushRules.DEFAULTS.with(parameters(parameter.strip())))
        .isInstanceOf(PushRefused.class)
        .hasMessageContaining(problem);
  }

  @Test
  void anEmptyDefaultTypeIsNone() {
    assertThat(PushRules.DEFAULTS.items().defaultType()).isEqualTo("events");
    assertThat(PushRules.DEFAULTS.with(parameters("default_type=")).items().defaultType()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "UTC, Z",
    "+01:00, +01:00",
    "' 01:00', +01:00",
    "-0530, -05:30",
    "Europe/Berlin, Europe/Berlin"
  })
  void aTimeZoneIsANameOrAnOffset(String zone, String id) {
    ZoneId read = PushRules.DEFAULTS.with(parameters("time_zone=" + zone)).items().localTimes();
    assertThat(read).isEqualTo(ZoneId.of(id));
  }

  @Test
  void dryRunIsTrueOrFalse() {
    assertThat(PushRules.isTrial(parameters())).isFalse();
    assertThat(PushRules.isTrial(parameters("dry_run=true"))).isTrue();
    assertThatThrownBy(() -> PushRules.isTrial(parameters("dry_run=yes")))
        .hasMessage("dry_run: \"yes\", want one of false, true");
  }

  @Test
  void refusesARepeatedParameter() {
    assertThatThrownBy(() -> PushRules.DEFAULTS.with(parameters("identity=body", "identity=none")))
        .hasMessageContaining("want one value");
  }
}
