package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;

/** An entry of a map, as the inventory lists it. */
sealed interface MapEntry permits PageMeta, IndexMeta {
  RowKey row();

  /** The number of the entry. Pages and indexes share one sequence of numbers. */
  long number();

  int generation();

  /** The offset of its bytes in the file of its map, or {@link PageMap#BY_KEY}. */
  long position();

  /** Whether the position is known; if not, the entry is found by its key alone. */
  default boolean isPlaced() {
    return position() != PageMap.BY_KEY;
  }

  int storedBytes();

  /** The checksum of the entry's header, which distinguishes entries. */
  int checksum();

  /** Describes the entry for messages. */
  String describe();
}
