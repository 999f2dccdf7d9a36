/** The query interface over HTTP: parameters, formats, streams, errors. */
@NullMarked
package hourglass.query.http;

import org.jspecify.annotations.NullMarked;
