package hourglass.ingest.protocols.elastic;

import hourglass.bytes.Json;

/**
 * An error in Elasticsearch's form.
 *
 * @param status of HTTP
 * @param type in Elasticsearch's words, by which clients distinguish errors
 */
record ElasticError(int status, String type, String reason) {
  static ElasticError of(int status, String reason) {
    String type =
        switch (status) {
          case 401, 403 -> "security_exception";
          case 404, 405 -> "resource_not_found_exception";
          case 413 -> "content_too_long_exception";
          case 408, 429, 503 -> "es_rejected_execution_exception";
          default -> status < 500 ? "illegal_argument_exception" : "internal_server_error";
        };
    return new ElasticError(status, type, reason);
  }

  /** Type and reason alone, as in an item. */
  String cause() {
    return "{\"type\":\"" + type + "\",\"reason\":" + Json.quoted(reason) + "}";
  }

  /** The members of a body. */
  String members() {
    return "\"error\":{\"root_cause\":["
        + cause()
        + "],\"type\":\""
        + type
        + "\",\"reason\":"
        + Json.quoted(reason)
        + "},\"status\":"
        + status;
  }
}
