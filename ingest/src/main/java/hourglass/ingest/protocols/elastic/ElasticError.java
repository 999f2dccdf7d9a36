package hourglass.ingest.protocols.elastic;

import hourglass.bytes.Json;

/**
 * An error in Elasticsearch's form.
 *
 * @param status the HTTP status
 * @param type the error in Elasticsearch's words, by which clients distinguish errors
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

  /** Returns the type and the reason, as an item contains them. */
  String cause() {
    return "{\"type\":\"" + type + "\",\"reason\":" + Json.quoted(reason) + "}";
  }

  /** Returns the members of a body. */
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
