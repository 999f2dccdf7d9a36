/**
 * Loki's API over HTTP, for Grafana and logcli. Begin with {@link
 * hourglass.query.loki.http.LokiRoutes}.
 */
@NullMarked
package hourglass.query.loki.http;

import org.jspecify.annotations.NullMarked;
