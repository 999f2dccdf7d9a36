/**
 * Serves Splunk's HTTP Event Collector. Begin with {@link
 * hourglass.ingest.protocols.splunk.SplunkCollector}.
 */
@NullMarked
package hourglass.ingest.protocols.splunk;

import org.jspecify.annotations.NullMarked;
