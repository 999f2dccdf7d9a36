package hourglass.query.service;

import hourglass.access.FairExecutor;
import hourglass.bucketing.Hour;
import hourglass.query.fair.QueryThread;
import hourglass.store.ForwardingStore;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.WideColumnStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A store with round trips as its time: all waiting requests are answered at once by the next. Used
 * by one thread.
 */
final class RoundTrips extends ForwardingStore {
  private final WideColumnStore store;
  private final List<Runnable> waiting = new ArrayList<>();
  private final List<SliceQuery> slices = new ArrayList<>();
  private final Set<Hour> directories = new HashSet<>();
  private int slicesUnderWay;
  private int slicesUnderWayMax;
  private int trips;
  private int tripOfAction;
  private Runnable action = () -> {};

  RoundTrips(WideColumnStore store) {
    this.store = store;
  }

  @Override
  protected WideColumnStore delegate() {
    return store;
  }

  @Override
  public CompletionStage<Slice> slice(SliceQuery query) {
    slices.add(query);
    slicesUnderWay++;
    slicesUnderWayMax = Math.max(slicesUnderWayMax, slicesUnderWay);
    return later(
        () -> {
          slicesUnderWay--;
          return store.slice(query);
        });
  }

  @Override
  public CompletionStage<List<RowEntry>> rows(Hour hour) {
    directories.add(hour);
    return later(() -> store.rows(hour));
  }

  @Override
  public CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return later(() -> store.hours(from, to));
  }

  private <T> CompletionStage<T> later(Supplier<CompletionStage<T>> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    waiting.add(() -> call.get().thenAccept(answer::complete));
    return answer;
  }

  /** The lines of a whole answer. */
  List<String> read(EventStream stream) {
    return Answer.read(stream, 1 << 16, new Traveller()).lines();
  }

  /** Makes a trip whenever the query waits. */
  private final class Traveller extends QueryThread {
    private Traveller() {
      super(FairExecutor.over(Runnable::run).lane(""), () -> false, () -> {});
    }

    @Override
    public <T> T await(CompletionStage<T> stage) {
      while (!stage.toCompletableFuture().isDone()) {
        trip();
      }
      return super.await(stage);
    }
  }

  void afterTrip(int trip, Runnable newAction) {
    tripOfAction = trip;
    action = newAction;
  }

  private void trip() {
    if (waiting.isEmpty()) {
      throw new AssertionError("the query waits, and asks nothing");
    }
    trips++;
    List<Runnable> asked = List.copyOf(waiting);
    waiting.clear();
    asked.forEach(Runnable::run);
    if (trips == tripOfAction) {
      action.run();
    }
  }

  int trips() {
    return trips;
  }

  List<SliceQuery> slices() {
    return slices;
  }

  int slicesUnderWayMax() {
    return slicesUnderWayMax;
  }

  /** Hours whose directory was asked for. */
  int directories() {
    return directories.size();
  }
}
