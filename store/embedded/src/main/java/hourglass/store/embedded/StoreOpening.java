package hourglass.store.embedded;

import hourglass.store.BudgetDrop;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.DirectoryLock;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.OwnedDisk;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.StoreVersion;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Locks a data directory, and opens the store in it. */
final class StoreOpening {
  private StoreOpening() {}

  static EmbeddedStore open(
      EmbeddedOptions options,
      Clock clock,
      LongSupplier steadyMillis,
      MeterRegistry meters,
      Disk disk,
      Consumer<BudgetDrop> drops) {
    DirectoryLock lock = null;
    try {
      // A lock file may belong to another program.
      StoreVersion.of(new StoreFiles(options.dir()));
      disk.createDirectories(options.dir());
      FileKind.FILE.isAt(new StoreFiles(options.dir()).lock());
      lock = DirectoryLock.take(new StoreFiles(options.dir()));
      Disk owned = new OwnedDisk(disk, lock.watch());
      return new EmbeddedStore(lock, owned, options, clock, steadyMillis, meters, drops);
    } catch (IOException | RuntimeException e) {
      if (lock != null) {
        QuietClose.quietly(lock);
      }
      throw e instanceof RuntimeException failure
          ? failure
          : new UnavailableException(options.dir() + ": cannot be opened: " + e, e);
    }
  }
}
