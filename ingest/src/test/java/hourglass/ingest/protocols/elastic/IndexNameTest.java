package hourglass.ingest.protocols.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexNameTest {
  @ParameterizedTest
  @CsvSource({
    "events,                            events",
    "logs-app-default,                  logs-app-default",
    "logs-2026.11.20,                   logs",
    "logs-2026-11-20,                   logs",
    "logs.2026.11.20,                   logs",
    "logs-000001,                       logs",
    "filebeat-8.15.0-2026.11.20-000001, filebeat-8.15.0",
    "filebeat-8.15.0,                   filebeat-8.15.0",
    "logs-1.2.3,                        logs-1.2.3",
    "logs-2026.13.20,                   logs-2026.13.20",
    "logs-2026.11.32,                   logs-2026.11.32",
    "logs-2026.11,                      logs-2026.11",
    "logs-00001,                        logs-00001",
    "logs-0000001,                      logs-0000001",
    "-2026.11.20,                       -2026.11.20",
    "2026.11.20,                        2026.11.20",
    "-000001,                           -000001",
    "logs_2026.11.20,                   logs_2026.11.20",
    "a-2026.11.20-2026.11.21,           a-2026.11.20",
  })
  void typeOmitsTheDateAndNumberOfAnIndex(String index, String type) {
    assertThat(IndexName.type(index)).isEqualTo(type);
  }
}
