package hourglass.query.http;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import hourglass.query.Chunk;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.service.Answer;
import hourglass.query.service.EventStream;
import hourglass.query.service.MillionEvents;
import hourglass.query.service.PackedStore;
import hourglass.query.service.QueryService;
import hourglass.store.Order;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Packs the ndjson of an hour of a million events, with a flush for each chunk: nanoseconds an
 * event, on one thread, and the share of the bytes that is left. Run {@link #main}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
@Fork(1)
public class PackBenchmark {
  @Param({"gzip 1", "gzip 3", "gzip 6", "zstd -1", "zstd 1", "zstd 3"})
  public String coding = "";

  private final List<byte[]> body = new ArrayList<>();
  private long packedBytes;

  @Setup
  public void read() {
    PackedStore store = new PackedStore();
    MillionEvents.write(store);
    QueryService service =
        new QueryService(store, QueryOptions.builder().build(), Clock.systemUTC(), Runnable::run);
    EventQuery query = new EventQuery(Selection.ALL, Order.ASCENDING, EventQuery.ALL, null);
    EventStream stream = service.events(query, EventFormat.NDJSON, CsvTable.STANDARD);
    Chunk chunk = new Chunk(128 << 10);
    Consumer<Chunk> keep = full -> body.add(java.util.Arrays.copyOf(full.bytes(), full.length()));
    stream.write(Answer.output(chunk, keep), Answer.thread());
    keep.accept(chunk);
  }

  @Benchmark
  @OperationsPerInvocation(MillionEvents.EVENTS)
  public long pack() throws IOException {
    packedBytes = 0;
    try (OutputStream out = over(new Counted())) {
      for (byte[] chunk : body) {
        out.write(chunk);
        out.flush();
      }
    }
    return packedBytes;
  }

  private OutputStream over(OutputStream out) throws IOException {
    int level = Integer.parseInt(coding.substring(5));
    return coding.startsWith("zstd")
        ? new ZstdOutputStreamNoFinalizer(out, level)
        : new GZIPOutputStream(out, 16 << 10, true) {
          {
            def.setLevel(level);
          }
        };
  }

  private final class Counted extends OutputStream {
    @Override
    public void write(int b) {
      packedBytes++;
    }

    @Override
    public void write(byte[] b, int from, int length) {
      packedBytes += length;
    }
  }

  @TearDown
  public void tell() {
    long bytes = body.stream().mapToLong(chunk -> chunk.length).sum();
    System.out.printf("%s: %d of %d bytes%n", coding, packedBytes, bytes);
  }

  public static void main(String[] args) throws RunnerException {
    new Runner(new OptionsBuilder().include(PackBenchmark.class.getSimpleName()).build()).run();
  }
}
