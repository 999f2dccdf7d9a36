/** Erasure over HTTP. Begin with {@link hourglass.query.erasure.http.ErasureRoutes}. */
@NullMarked
package hourglass.query.erasure.http;

import org.jspecify.annotations.NullMarked;
