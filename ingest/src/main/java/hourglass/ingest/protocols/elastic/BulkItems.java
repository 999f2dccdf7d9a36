package hourglass.ingest.protocols.elastic;

import hourglass.ingest.decode.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the answer says of the items of a body: their targets and ids, in the order sent. */
final class BulkItems {
  /** Of a target with its texts, beside their characters. */
  private static final int TARGET_BYTES = 256;

  private static final int ID_BYTES = 64;

  private final Memory memory;

  /** Each holds for the items from the end of the one before to its own. */
  private final List<Target> targets = new ArrayList<>();

  private int[] targetEnds = {};
  private @Nullable String[] ids = {};
  private int size;

  /** Reserves what it uses. */
  BulkItems(Memory memory) {
    this.memory = memory;
  }

  int size() {
    return size;
  }

  @SuppressWarnings("ReferenceEquality") // equal targets are one object
  void add(Target target, @Nullable String id) {
    int last = targets.size() - 1;
    if (last < 0 || targets.get(last) != target) {
      last++;
      memory.reserve(TARGET_BYTES + 4L * target.index().length());
      targets.add(target);
      if (last == targetEnds.length) {
        memory.reserve((last + 8L) * Integer.BYTES);
        targetEnds = Arrays.copyOf(targetEnds, 2 * last + 8);
      }
    }
    if (id != null) {
      addId(id);
    }
    targetEnds[last] = ++size;
  }

  /** Nothing is held of the ids of a body without any. */
  private void addId(String id) {
    if (size >= ids.length) {
      int capacity = Math.max(16, 2 * size);
      memory.reserve((long) (capacity - ids.length) * Long.BYTES);
      ids = Arrays.copyOf(ids, capacity);
    }
    memory.reserve(ID_BYTES + 2L * id.length());
    ids[size] = id;
  }

  /** Steps through the items. Not thread-safe. */
  final class Cursor {
    private int run;
    private int next;

    boolean hasNext() {
      return next < size;
    }

    /** The place of the next item. */
    int place() {
      return next;
    }

    @Nullable String id() {
      return next < ids.length ? ids[next] : null;
    }

    /** Of the item at {@link #place}; goes on to the one after it. */
    Target take() {
      Target target = targets.get(run);
      next++;
      run += next == targetEnds[run] ? 1 : 0;
      return target;
    }
  }
}
