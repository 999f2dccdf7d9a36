/** Answers every kind of query. Begin with QueryService. */
@NullMarked
package hourglass.query.service;

import org.jspecify.annotations.NullMarked;
