package hourglass.query.http;

import hourglass.query.AnswerBody;
import hourglass.query.Selection;
import hourglass.query.fair.Places.Size;
import hourglass.query.service.QueryService;
import java.util.function.Function;

/**
 * A parsed request.
 *
 * @param size unknown if the directory has to be read first
 * @param readsPayloads whether it reads all events of the selection, instead of counting them
 * @param limited whether a body that fits into its chunks is sent whole
 */
record PreparedQuery(
    Size size,
    Selection selection,
    boolean readsPayloads,
    AnswerHead head,
    boolean limited,
    Function<QueryService, AnswerBody> body) {}
