package hourglass.store;

import hourglass.bucketing.Hour;

/**
 * An hour that was dropped to keep to a {@link DiskBudget}.
 *
 * @param why the part of the budget
 * @param bytes of its pages on the disk
 */
public record BudgetDrop(Hour hour, Why why, long bytes) {

  /** The part of a budget that was exceeded. */
  public enum Why {
    MAX_BYTES("max-bytes"),
    MAX_DISK_PERCENT("max-disk-percent");

    private final String text;

    Why(String text) {
      this.text = text;
    }

    /** Returns the last part of the name of the setting. */
    public String text() {
      return text;
    }
  }
}
