package hourglass.ingest.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import hourglass.access.LimitExceededException;
import hourglass.access.Limits;
import hourglass.access.Quota;
import hourglass.access.Quotas;
import hourglass.ingest.stream.BatchPump.Pauses;
import hourglass.store.CorruptException;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import hourglass.store.UnavailableException;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A store that fails as scripted; items are numbers. */
class BatchPumpTest {
  private static final Pauses PAUSES = new Pauses(100, 5_000);

  /** A write, or a rejection, that has not ended. */
  private record Call(List<Integer> batch, boolean isRejection, CompletableFuture<Void> end) {}

  private record Pause(long millis, Runnable task) {}

  private final List<Call> calls = new ArrayList<>();
  private final List<Pause> waiting = new ArrayList<>();
  private final List<Integer> done = new ArrayList<>();
  private final List<List<Integer>> dropped = new ArrayList<>();
  private final Set<Integer> rejected = new HashSet<>();
  private final List<Integer> failures = new ArrayList<>();
  private int failuresMax = Integer.MAX_VALUE;
  private boolean hasMemory = true;
  private boolean doneFails;
  private boolean keepsOrder = true;

  private BatchPump<List<Integer>> pump = pump(2);

  private BatchPump<List<Integer>> pump(int writesMax) {
    BatchPump.Sink<List<Integer>> sink =
        new BatchPump.Sink<>() {
          @Override
          public int size(List<Integer> batch) {
            return batch.size();
          }

          @Override
          public List<List<Integer>> halves(List<Integer> batch) {
            if (!hasMemory) {
              throw new OutOfMemoryError("no halves");
            }
            int middle = batch.size() / 2;
            return List.of(batch.subList(0, middle), batch.subList(middle, batch.size()));
          }

          @Override
          public CompletionStage<?> write(List<Integer> batch) {
            return begin(batch, false);
          }

          @Override
          public CompletionStage<?> reject(List<Integer> batch, Throwable failure) {
            assertThat(batch).hasSize(1);
            return begin(batch, true).thenRun(() -> rejected.add(batch.get(0)));
          }

          private CompletableFuture<Void> begin(List<Integer> batch, boolean isRejection) {
            Call call = new Call(batch, isRejection, new CompletableFuture<>());
            calls.add(call);
            return call.end;
          }

          @Override
          public void done(List<Integer> batch) {
            done.addAll(batch);
            if (doneFails) {
              throw new IllegalStateException("done fails");
            }
          }

          @Override
          public boolean goesOn(List<Integer> batch, Throwable failure, int count) {
            failures.add(count);
            return count <= failuresMax;
          }

          @Override
          public boolean keepsOrder() {
            return keepsOrder;
          }

          @Override
          public void dropped(List<Integer> batch) {
            dropped.add(batch);
          }
        };
    return new BatchPump<>(
        sink, (millis, task) -> waiting.add(new Pause(millis, task)), PAUSES, writesMax);
  }

  private static List<Integer> items(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  private Call next() {
    return calls.remove(0);
  }

  private void succeed() {
    next().end.complete(null);
  }

  private void fail(Throwable failure) {
    next().end.completeExceptionally(failure);
  }

  private long endPause() {
    Pause pause = waiting.remove(0);
    pause.task.run();
    return pause.millis;
  }

  /** Ends all writes and pauses by a plan: from a batch to its failure, or null. */
  private void run(Function<List<Integer>, @Nullable Throwable> plan) {
    while (!calls.isEmpty() || !waiting.isEmpty()) {
      while (!waiting.isEmpty()) {
        endPause();
      }
      if (!calls.isEmpty()) {
        Call call = next();
        Throwable failure = call.isRejection ? null : plan.apply(call.batch);
        if (failure == null) {
          call.end.complete(null);
        } else {
          call.end.completeExceptionally(failure);
        }
      }
    }
  }

  @Test
  void aSecondBatchIsAddedOnlyIfFull() {
    assertThat(pump.hasRoom(false)).isTrue();
    pump.add(items(0, 5));
    assertThat(pump.hasRoom(false)).isFalse();
    assertThat(pump.hasRoom(true)).isTrue();
    pump.add(items(5, 9));
    assertThat(pump.hasRoom(true)).as("two are under way").isFalse();
    succeed();
    assertThat(pump.hasRoom(true)).isTrue();
    assertThat(pump.hasRoom(false)).isFalse();
    succeed();
    assertThat(pump.hasRoom(false)).isTrue();
    assertThat(pump.isEmpty()).isTrue();
  }

  @Test
  void laterBatchesCompleteAfterEarlierOnes() {
    pump.add(items(0, 2));
    pump.add(items(2, 4));
    Call first = next();
    succeed();
    assertThat(done).isEmpty();
    first.end.complete(null);
    assertThat(done).containsExactly(0, 1, 2, 3);
  }

  @Test
  void withoutOrderAFailedBatchDelaysNoOthers() {
    keepsOrder = false;
    pump.add(items(0, 1));
    pump.add(items(1, 2));
    fail(new UnavailableException("away"));
    succeed();
    assertThat(done).containsExactly(1);
    assertThat(pump.hasRoom(true)).isTrue();
    pump.add(items(2, 3));
    succeed();
    assertThat(done).containsExactly(1, 2);
    endPause();
    succeed();
    assertThat(done).containsExactly(1, 2, 0);
  }

  @Test
  void excessBatchesWaitForAWrite() {
    pump.add(items(0, 1));
    pump.add(items(1, 2));
    pump.add(items(2, 3));
    assertThat(calls).hasSize(2);
    succeed();
    assertThat(calls).hasSize(2);
  }

  @Test
  void pausesDoubleUpToTheLongest() {
    pump.add(items(0, 2));
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      fail(new UnavailableException("away"));
      pauses.add(endPause());
    }
    assertThat(pauses).containsExactly(100L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L);
    assertThat(failures).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(pump.failures()).isEqualTo(8);
    succeed();
    assertThat(done).containsExactly(0, 1);
    assertThat(pump.failures()).isZero();
  }

  /** A refusal that ends after so many seconds. */
  private static LimitExceededException aboveLimitFor(long seconds) {
    Limits limits = new Limits(0, 1, 0, 0, 0, 0);
    Quota quota = new Quotas(limits, () -> 0, limit -> {}).of("client", limits);
    quota.takeBytes(1);
    quota.oweBytes(seconds - 1);
    LimitExceededException refusal =
        catchThrowableOfType(LimitExceededException.class, () -> quota.takeBytes(1));
    assertThat(refusal.retryAfterSeconds()).isEqualTo(seconds);
    return refusal;
  }

  @Test
  void aQuotaRefusalIsRetriedAfterItsWait() {
    pump.add(items(0, 2));
    fail(aboveLimitFor(2));
    assertThat(failures).containsExactly(0);
    assertThat(endPause()).isEqualTo(2_000);
    fail(aboveLimitFor(3_600));
    assertThat(endPause()).isEqualTo(PAUSES.mostMillis());
    succeed();
    assertThat(done).containsExactly(0, 1);
  }

  @Test
  void onlyPermanentlyRefusedItemsAreRejected() {
    pump.add(items(0, 100));
    run(batch -> batch.contains(7) || batch.contains(90) ? new CorruptException("damaged") : null);
    assertThat(done).containsExactlyElementsOf(items(0, 100));
    assertThat(rejected).containsExactlyInAnyOrder(7, 90);
  }

  @Test
  void transientFailuresRejectNothing() {
    pump.add(items(0, 1));
    for (int i = 0; i < 4; i++) {
      fail(new CorruptException("by chance"));
      endPause();
      fail(new CorruptException("by chance"));
      endPause();
      fail(new UnavailableException("away"));
      endPause();
    }
    succeed();
    assertThat(done).containsExactly(0);
    assertThat(rejected).isEmpty();
  }

  @Test
  void aTooLargeBatchIsHalved() {
    pump.add(items(0, 40));
    run(batch -> batch.size() > 3 ? new TooLargeException("more than 3") : null);
    assertThat(done).containsExactlyElementsOf(items(0, 40));
    assertThat(rejected).isEmpty();
  }

  @Test
  void aBatchThatCannotBeHalvedIsRetriedWhole() {
    hasMemory = false;
    pump.add(items(0, 4));
    for (int i = 0; i < 3; i++) {
      fail(new TooLargeException("more than 3"));
      endPause();
    }
    hasMemory = true;
    run(batch -> batch.size() > 3 ? new TooLargeException("more than 3") : null);
    assertThat(done).containsExactly(0, 1, 2, 3);
  }

  @Test
  void aSinkThatFailsDoesNotStopLaterBatches() {
    doneFails = true;
    pump.add(items(0, 1));
    pump.add(items(1, 2));
    succeed();
    doneFails = false;
    succeed();
    pump.add(items(2, 3));
    succeed();
    assertThat(done).containsExactly(0, 1, 2);
  }

  @Test
  void aStoreThatStaysBusyGetsSmallerBatches() {
    pump.add(items(0, 8));
    List<Integer> sizes = new ArrayList<>();
    run(
        batch -> {
          sizes.add(batch.size());
          return batch.size() > 4 ? new OverloadedException("busy", Duration.ofSeconds(1)) : null;
        });
    assertThat(sizes).containsExactly(8, 8, 8, 8, 8, 8, 8, 8, 4, 4);
    assertThat(done).containsExactlyElementsOf(items(0, 8));
  }

  @Test
  void halvesDoNotRaiseTheNumberOfConcurrentWrites() {
    pump.add(items(0, 8));
    pump.add(items(8, 16));
    for (int i = 0; i < 3; i++) {
      calls.remove(i == 0 ? 0 : 1).end.completeExceptionally(new CorruptException("damaged"));
      if (i < 2) {
        endPause();
      }
    }
    assertThat(calls).extracting(Call::batch).containsExactlyInAnyOrder(items(0, 4), items(8, 16));
    calls.remove(0).end.complete(null);
    assertThat(calls).extracting(Call::batch).containsExactlyInAnyOrder(items(0, 4), items(4, 8));
    succeed();
    succeed();
    assertThat(done).containsExactlyElementsOf(items(0, 16));
  }

  @Test
  void aRejectionThatFailsIsRepeated() {
    pump.add(items(0, 1));
    for (int i = 0; i < 3; i++) {
      fail(new CorruptException("damaged"));
      if (i < 2) {
        endPause();
      }
    }
    for (int i = 0; i < 5; i++) {
      assertThat(calls).singleElement().matches(Call::isRejection);
      fail(new IllegalStateException("no letter can be sent"));
      endPause();
    }
    succeed();
    assertThat(done).containsExactly(0);
    assertThat(rejected).containsExactly(0);
  }

  @Test
  void anEmptyBatchIsDoneAtOnce() {
    pump.add(List.of());
    assertThat(pump.isEmpty()).isTrue();
    assertThat(calls).isEmpty();
  }

  @Test
  void aClosedPumpDropsBatchesWhenTheirWritesHaveEnded() {
    pump.add(items(0, 1));
    pump.add(items(1, 2));
    pump.add(items(2, 3));
    fail(new UnavailableException("away"));
    assertThat(pump.isWriting()).isTrue();
    pump.close();
    assertThat(dropped).containsExactly(List.of(0), List.of(2));
    succeed();
    assertThat(dropped).containsExactly(List.of(0), List.of(2), List.of(1));
    endPause();
    assertThat(calls).isEmpty();
    assertThat(done).isEmpty();
    assertThat(pump.isEmpty()).isTrue();
  }

  @Test
  void aSinkThatGivesUpClosesThePump() {
    failuresMax = 2;
    pump.add(items(0, 1));
    for (int i = 0; i < 2; i++) {
      fail(new UnavailableException("away"));
      endPause();
    }
    fail(new UnavailableException("away"));
    assertThat(waiting).isEmpty();
    assertThat(dropped).containsExactly(List.of(0));
    pump.add(items(1, 2));
    assertThat(calls).isEmpty();
  }

  /**
   * For any failures in any order, each item is stored or rejected, and completed once, in order.
   */
  @Test
  void randomFailuresKeepEachItemOnceAndInOrder() {
    Random random = Seed.random(this);
    for (int round = 0; round < Tier.length(300, 3_000, 30_000); round++) {
      walk(random);
    }
  }

  private void walk(Random random) {
    calls.clear();
    waiting.clear();
    done.clear();
    rejected.clear();
    int writesMax = 1 + random.nextInt(4);
    pump = pump(writesMax);
    int count = random.nextInt(60);
    int sizeMax = 1 + random.nextInt(20);
    Set<Integer> poison = new HashSet<>();
    for (int i = random.nextInt(4); i > 0 && count > 0; i--) {
      poison.add(random.nextInt(count));
    }
    Set<Integer> stored = new HashSet<>();
    int added = 0;
    while (done.size() < count) {
      if (added < count && random.nextBoolean() && pump.hasRoom(random.nextBoolean())) {
        int to = Math.min(count, added + random.nextInt(sizeMax + 1));
        pump.add(items(added, to));
        added = to;
      } else if (!waiting.isEmpty() && random.nextBoolean()) {
        waiting.remove(random.nextInt(waiting.size())).task.run();
      } else if (!calls.isEmpty()) {
        assertThat(calls).hasSizeLessThanOrEqualTo(writesMax);
        end(calls.remove(random.nextInt(calls.size())), poison, stored, random);
      }
      assertThat(done).isEqualTo(items(0, done.size()));
      Set<Integer> settled = new HashSet<>(stored);
      settled.addAll(rejected);
      assertThat(settled).containsAll(done);
    }
    assertThat(pump.isEmpty()).isTrue();
    assertThat(calls).isEmpty();
    assertThat(waiting).isEmpty();
    assertThat(rejected).isEqualTo(poison);
  }

  /** A failed write of good items may have been stored all the same. */
  private void end(Call call, Set<Integer> poison, Set<Integer> stored, Random random) {
    boolean isPoisoned = !call.isRejection && call.batch.stream().anyMatch(poison::contains);
    if (random.nextInt(5) == 0) {
      if (!isPoisoned && random.nextBoolean()) {
        stored.addAll(call.batch);
      }
      call.end.completeExceptionally(
          random.nextBoolean()
              ? new UnavailableException("away")
              : new OverloadedException("busy", Duration.ofSeconds(1)));
    } else if (isPoisoned) {
      call.end.completeExceptionally(new CorruptException("damaged"));
    } else {
      if (!call.isRejection) {
        stored.addAll(call.batch);
      }
      call.end.complete(null);
    }
  }

  /** Writes complete on many threads at once. */
  @Test
  void concurrentThreadsKeepTheOrder() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Integer> ends = new ArrayList<>();
    AtomicInteger inside = new AtomicInteger();
    int batches = Tier.length(2_000, 20_000, 200_000);
    CompletableFuture<Void> all = new CompletableFuture<>();
    BatchPump.Sink<Integer> sink =
        new BatchPump.Sink<>() {
          @Override
          public int size(Integer batch) {
            return 1;
          }

          @Override
          public List<Integer> halves(Integer batch) {
            throw new AssertionError("one item");
          }

          @Override
          public CompletionStage<?> write(Integer batch) {
            return CompletableFuture.runAsync(
                () -> {
                  if (batch % 7 == 0 && Thread.currentThread().getId() % 2 == 0) {
                    throw new UnavailableException("away");
                  }
                },
                threads);
          }

          @Override
          public CompletionStage<?> reject(Integer batch, Throwable failure) {
            throw new AssertionError("nothing is refused for good");
          }

          @Override
          public void done(Integer batch) {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            ends.add(batch);
            inside.decrementAndGet();
            if (batch == batches - 1) {
              all.complete(null);
            }
          }

          @Override
          public boolean goesOn(Integer batch, Throwable failure, int count) {
            return true;
          }
        };
    BatchPump<Integer> shared =
        new BatchPump<>(sink, (millis, task) -> threads.execute(task), PAUSES, 3);
    for (int i = 0; i < batches; i++) {
      shared.add(i);
    }
    all.get(1, TimeUnit.MINUTES);
    threads.shutdown();
    assertThat(ends).isEqualTo(items(0, batches));
  }
}
