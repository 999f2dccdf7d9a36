package hourglass.query.count;

import hourglass.bytes.Spans;
import hourglass.query.where.json.FieldTree;
import hourglass.store.FieldFinder;
import org.jspecify.annotations.Nullable;

/**
 * Finds the only field at a path. Where several keys could contain it, as in {@code
 * {"a":{},"a.b":{}}} for {@code a.b.c}, the payload must be read as a whole.
 */
record TreeFinder(FieldTree tree, int field, boolean isOfPayload) implements FieldFinder {
  static TreeFinder of(String path) {
    FieldTree tree = new FieldTree();
    return new TreeFinder(tree, tree.add(path), path.indexOf('.') < 0);
  }

  @Override
  public @Nullable Spans find(byte[] payload, int from, int to) {
    Spans places = tree.find(payload, from, to);
    return places == null ? null : Spans.of(places.start(field), places.end(field));
  }
}
