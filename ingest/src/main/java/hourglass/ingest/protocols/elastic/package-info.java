/**
 * Serves the bulk interface of Elasticsearch, and the requests that its clients send before they
 * use it. Begin with {@link hourglass.ingest.protocols.elastic.ElasticBulk}.
 */
@NullMarked
package hourglass.ingest.protocols.elastic;

import org.jspecify.annotations.NullMarked;
