package hourglass.store.embedded.codec;

/** The limits of a page. Lengths beyond them are neither written nor accepted. */
final class PageLimits {
  /** Ten times the target width of a row; names of this many columns take 16 MiB. */
  static final int COLUMNS_MAX = 1 << 20;

  /** More than a whole row of the target size, or several of the largest payloads. */
  static final int PAYLOAD_BYTES_MAX = 32 << 20;

  private PageLimits() {}
}
