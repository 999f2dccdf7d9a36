package hourglass.store.embedded.backup;

import java.util.function.UnaryOperator;

/** The state of a backup, which one thread changes and others read. Thread-safe. */
final class BackupProgress {
  private volatile BackupState state;

  BackupProgress(BackupState state) {
    this.state = state;
  }

  BackupState state() {
    return state;
  }

  /** Changes the state. Only the thread of the backup may call this. */
  void change(UnaryOperator<BackupStateBuilder> change) {
    state = change.apply(BackupStateBuilder.builder(state)).build();
  }

  /** Replaces the state. Only the thread of the backup may call this. */
  void set(BackupState next) {
    state = next;
  }
}
