package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;

/** An entry of a page file, as the directory of its section lists it. */
sealed interface FileEntry permits PageMeta, IndexMeta {
  RowKey row();

  /** The number of the entry. Pages and indexes share one sequence, and copies keep it. */
  long number();

  /** The number of its file. */
  long file();

  /** The offset of its bytes in the file. */
  long position();

  int storedBytes();

  /** The checksum of the entry's header, which distinguishes entries. */
  int checksum();

  /** Describes the entry for messages. */
  String describe();
}
