package hourglass.store.cassandra.rows;

import hourglass.bucketing.RowKey;
import hourglass.store.parts.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The packs of a row that was sealed before, with the pages that hold its other columns. */
record JoinedSections(
    PackCursor packs, PagesTable table, RowKey row, long seal, List<PagePart> heads)
    implements Sections {

  @Override
  public CompletionStage<Section> next() {
    return packs.next().thenCompose(this::withPages);
  }

  private CompletionStage<Section> withPages(Section section) {
    List<PagePart> pages = heads.stream().filter(head -> head.overlaps(section.range())).toList();
    return table
        .bodies(row, seal, pages)
        .thenApply(
            whole -> {
              List<Part> parts = new ArrayList<>(section.parts());
              parts.addAll(whole);
              return new Section(section.range(), parts, section.isLast());
            });
  }
}
