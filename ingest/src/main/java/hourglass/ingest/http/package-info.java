/** Push over HTTP: reads bodies under a budget, unpacks them, answers. */
@NullMarked
package hourglass.ingest.http;

import org.jspecify.annotations.NullMarked;
