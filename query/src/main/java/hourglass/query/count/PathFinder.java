package hourglass.query.count;

import hourglass.bytes.JsonPath;
import hourglass.bytes.Spans;
import hourglass.store.FieldFinder;
import java.util.function.BooleanSupplier;

/** Finds the field at a path, for stores that keep fields apart. */
record PathFinder(String path, BooleanSupplier gone) implements FieldFinder {
  @Override
  public Spans find(byte[] payload, int from, int to) {
    JsonPath found = new JsonPath(path, gone);
    return found.find(payload, from, to) ? Spans.of(found.from(), found.to()) : new Spans(1);
  }

  @Override
  public boolean isOfPayload() {
    return path.indexOf('.') < 0;
  }
}
