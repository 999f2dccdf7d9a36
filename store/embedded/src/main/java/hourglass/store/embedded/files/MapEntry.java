package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;

/** An entry of a map, as the inventory lists it. */
sealed interface MapEntry permits PageMeta, IndexMeta {
  RowKey row();

  /** Pages and indexes are numbered together. */
  long number();

  int generation();

  /** Where its bytes begin in the file of its map, or {@link PageMap#BY_KEY}. */
  long position();

  /** False if it is found by its key alone. */
  default boolean isPlaced() {
    return position() != PageMap.BY_KEY;
  }

  int storedBytes();

  /** Of the entry's header, which tells entries apart. */
  int checksum();

  /** For messages. */
  String describe();
}
