package hourglass.query.loki;

import hourglass.query.SampleReader;
import hourglass.store.Columns;
import hourglass.store.FieldValues;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads the streams of a query's lines as samples. Immutable. */
public record StreamReader(LogFilter filter, BooleanSupplier gone) implements SampleReader<Labels> {

  @Override
  public @Nullable List<String> fields() {
    return null; // the names of labels are not known
  }

  @Override
  public long bytes(Labels group) {
    return group.bytes();
  }

  @Override
  public OfType<Labels> of(String type) {
    return new OfType<>() {
      @Override
      public Sample<Labels> read(FieldValues values, int i) {
        throw new IllegalStateException("streams are made of payloads");
      }

      @Override
      public @Nullable Sample<Labels> read(Columns columns, int i) {
        return filter.run(
            type,
            columns,
            i,
            gone,
            line -> new Sample<>(new Labels(new TreeMap<>(line.stream())), 1));
      }
    };
  }
}
