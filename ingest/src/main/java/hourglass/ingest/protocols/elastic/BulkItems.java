package hourglass.ingest.protocols.elastic;

import hourglass.ingest.decode.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The targets and ids of the items of a body, in the order sent, for the answer. */
final class BulkItems {
  /** The memory of a target and its texts, besides their characters. */
  private static final int TARGET_BYTES = 256;

  private static final int ID_BYTES = 64;

  private final Memory memory;

  /** The targets. Each applies to the items from the end of the one before to its own end. */
  private final List<Target> targets = new ArrayList<>();

  private int[] targetEnds = {};
  private @Nullable String[] ids = {};
  private int size;

  /** Creates an empty list that reserves the memory it uses. */
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

  /** Adds an id. A body without ids uses no memory for them. */
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

    /** Returns the place of the next item. */
    int place() {
      return next;
    }

    @Nullable String id() {
      return next < ids.length ? ids[next] : null;
    }

    /** Returns the target of the item at {@link #place}, and moves to the next item. */
    Target take() {
      Target target = targets.get(run);
      next++;
      run += next == targetEnds[run] ? 1 : 0;
      return target;
    }
  }
}
