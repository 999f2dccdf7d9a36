package hourglass.store.embedded.files;

/**
 * A section that is in use.
 *
 * @param file the number of its file
 * @param liveBytes its bytes without pages that later sections removed
 */
public record SectionInFile(long file, PageSection section, long liveBytes) {}
