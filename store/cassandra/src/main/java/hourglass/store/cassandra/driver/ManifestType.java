package hourglass.store.cassandra.driver;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.data.UdtValue;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Manifest;
import hourglass.store.RowEntry.Mark;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Converts manifests to and from the CQL type {@code manifest}. */
public final class ManifestType {
  private static final TypeCodec<List<Integer>> MINUTES = TypeCodecs.listOf(TypeCodecs.INT);
  private static final TypeCodec<Map<String, Long>> MARKS =
      TypeCodecs.mapOf(TypeCodecs.TEXT, TypeCodecs.BIGINT);

  private final UserDefinedType type;

  /**
   * Takes the type from a statement.
   *
   * @param insert a statement with a variable named {@code manifest}
   */
  public ManifestType(PreparedStatement insert) {
    type = (UserDefinedType) insert.getVariableDefinitions().get("manifest").getType();
  }

  public UdtValue encode(Manifest manifest) {
    Map<String, Long> marks = new TreeMap<>();
    manifest.marks().forEach(mark -> marks.put(mark.writer(), mark.value()));
    return type.newValue()
        .setLong("columns", manifest.columns())
        .setLong("bytes", manifest.bytes())
        .setUuid("first", manifest.first().toUuid())
        .setUuid("last", manifest.last().toUuid())
        .setLong("digest", manifest.digest())
        .set("minutes", Arrays.stream(manifest.columnsByMinute()).boxed().toList(), MINUTES)
        .set("marks", marks, MARKS);
  }

  public Manifest decode(UdtValue value) {
    List<Integer> minutes = Objects.requireNonNull(value.get("minutes", MINUTES));
    Map<String, Long> marks = Objects.requireNonNull(value.get("marks", MARKS));
    return new Manifest(
        value.getLong("columns"),
        value.getLong("bytes"),
        TimeUuid.of(Objects.requireNonNull(value.getUuid("first"))),
        TimeUuid.of(Objects.requireNonNull(value.getUuid("last"))),
        value.getLong("digest"),
        minutes.stream().mapToInt(Integer::intValue).toArray(),
        marks.entrySet().stream()
            .map(mark -> new Mark(mark.getKey(), mark.getValue()))
            .sorted(Comparator.comparing(Mark::writer))
            .toList());
  }
}
