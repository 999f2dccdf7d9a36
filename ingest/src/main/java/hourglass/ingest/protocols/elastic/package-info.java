/**
 * The bulk interface of Elasticsearch, and what its clients ask before they use it. Begin with
 * {@link hourglass.ingest.protocols.elastic.ElasticBulk}.
 */
@NullMarked
package hourglass.ingest.protocols.elastic;

import org.jspecify.annotations.NullMarked;
