package hourglass.query.http;

import hourglass.query.AnswerBody;
import hourglass.query.Selection;
import hourglass.query.fair.Places.Size;
import hourglass.query.service.QueryService;
import java.util.function.Function;

/**
 * A parsed request: the query with its expected cost, and the form of its answer.
 *
 * @param size unknown if the directory has to be read first
 * @param readsPayloads whether the query reads all events of the selection, or only counts them
 * @param limited whether a body that fits into its chunks is sent whole
 * @param body begins the answer
 */
record PreparedQuery(
    Size size,
    Selection selection,
    boolean readsPayloads,
    AnswerHead head,
    boolean limited,
    Function<QueryService, AnswerBody> body) {}
