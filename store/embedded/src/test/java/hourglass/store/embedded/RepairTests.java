package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Order;
import hourglass.store.embedded.backup.StoreCheck;
import hourglass.store.embedded.backup.StoreRepair;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.PageMeta;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** A store whose pages a test damages, and a repair takes out of use. */
abstract class RepairTests extends BackupTests {
  /** Damages a page of a row that is kept forever. Returns it. */
  PageMeta damage(RowKey row) throws IOException {
    return damage(StoreFiles.KEEP, row);
  }

  PageMeta damage(String retentionClass, RowKey row) throws IOException {
    List<PageMeta> pages =
        store.pages(retentionClass, row.hour()).pages().stream()
            .filter(page -> page.row().equals(row))
            .sorted(Comparator.comparing(PageMeta::first))
            .toList();
    PageMeta page = pages.get(pages.size() / 2);
    Damage.flip("", page.position() + page.storedBytes() - 1, 3)
        .act()
        .on(store.files().pages(page.file()));
    return page;
  }

  Path dir() {
    return store.files().dir();
  }

  StoreRepair.Result repair(Disk disk) {
    store.close();
    findings.clear();
    return StoreRepair.run(dir(), disk, findings::add);
  }

  StoreCheck.Result check() {
    findings.clear();
    return StoreCheck.run(dir(), findings::add);
  }

  int events(RowKey row) {
    return Expectation.read(store.engine(), row, Order.ASCENDING).stream()
        .mapToInt(columns -> columns.size())
        .sum();
  }

  List<String> missing(Hour hour) {
    return store.engine().missing(hour, hour);
  }
}
