package hourglass.ingest.protocols.otlp;

/** One kind of telemetry: its paths, and the names in its requests. */
@SuppressWarnings("ImmutableEnumChecker") // names never change
enum Signal {
  LOGS(
      "logs",
      "logs.v1.LogsService",
      "resourceLogs",
      "scopeLogs",
      "logRecords",
      "LogRecords",
      "log records"),
  TRACES(
      "traces", "trace.v1.TraceService", "resourceSpans", "scopeSpans", "spans", "Spans", "spans"),
  METRICS(
      "metrics",
      "metrics.v1.MetricsService",
      "resourceMetrics",
      "scopeMetrics",
      "metrics",
      "DataPoints",
      "metrics");

  /**
   * These are the numbers of fields in requests to export a signal: a list of resources, of scopes,
   * and of records.
   */
  static final int RESOURCES = 1;

  static final int RESOURCE = 1;
  static final int SCOPES = 2;
  static final int SCOPE = 1;
  static final int RECORDS = 2;

  /** The beginning of all paths of gRPC. */
  static final String SERVICES = "/opentelemetry.proto.collector.";

  final String path;

  /** The path of the gRPC service. */
  final String service;

  // These are the names of the lists in JSON.
  final JsonFieldName resources;
  final JsonFieldName scopes;
  final JsonFieldName records;

  /** The name of the count in a partial success. */
  final String rejectedName;

  /** The plural for readers. */
  final String plural;

  Signal(
      String path,
      String service,
      String resources,
      String scopes,
      String records,
      String rejected,
      String plural) {
    this.path = "/v1/" + path;
    this.service = SERVICES + service + "/Export";
    this.resources = JsonFieldName.of(resources);
    this.scopes = JsonFieldName.of(scopes);
    this.records = JsonFieldName.of(records);
    this.rejectedName = "rejected" + rejected;
    this.plural = plural;
  }
}
