package hourglass.store.cassandra.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.store.UnavailableException;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class JoinerTest {
  private static final long SIZE_MAX = 10;

  private record Sent(String key, List<Integer> items, CompletableFuture<Void> answer) {}

  private final List<Sent> sent = Collections.synchronizedList(new ArrayList<>());
  private final Joiner<String, Integer> joiner =
      new Joiner<>(this::send, Integer::longValue, SIZE_MAX);

  private CompletionStage<Void> send(String key, List<Integer> items) {
    sent.add(new Sent(key, List.copyOf(items), new CompletableFuture<>()));
    return sent.get(sent.size() - 1).answer();
  }

  private CompletableFuture<Void> add(String key, int item) {
    return joiner.add(key, item, Runnable::run).toCompletableFuture();
  }

  private List<List<Integer>> items() {
    return sent.stream().map(Sent::items).toList();
  }

  private void answer(int number) {
    sent.get(number).answer().complete(null);
  }

  @Test
  void waitingItemsShareARequestInOrder() {
    CompletableFuture<Void> first = add("a", 1);
    CompletableFuture<Void> second = add("a", 3);
    CompletableFuture<Void> third = add("a", 2);
    assertThat(items()).as("the first waits for nothing").containsExactly(List.of(1));
    answer(0);
    assertThat(first).isCompleted();
    assertThat(items()).containsExactly(List.of(1), List.of(3, 2));
    assertThat(List.of(second, third)).noneMatch(CompletableFuture::isDone);
    answer(1);
    assertThat(second).isCompleted();
    assertThat(third).isCompleted();
  }

  @Test
  void keysAreSentIndependently() {
    add("a", 1);
    add("b", 2);
    assertThat(sent.stream().map(Sent::key).toList()).containsExactly("a", "b");
  }

  @Test
  void anItemAfterAPauseIsSentAtOnce() {
    add("a", 1);
    answer(0);
    add("a", 2);
    assertThat(items()).containsExactly(List.of(1), List.of(2));
  }

  @Test
  void itemsOfOneRequestAreLimited() {
    add("a", 1);
    for (int item : new int[] {4, 6, 1, 11, 1, 9, 1}) {
      add("a", item);
    }
    for (int i = 0; i < 5; i++) {
      answer(i);
    }
    assertThat(items())
        .containsExactly(
            List.of(1), List.of(4, 6), List.of(1), List.of(11), List.of(1, 9), List.of(1));
  }

  @Test
  void aFailureAffectsOnlyTheItemsOfItsRequest() {
    CompletableFuture<Void> first = add("a", 1);
    CompletableFuture<Void> second = add("a", 2);
    CompletableFuture<Void> third = add("a", 3);
    sent.get(0).answer().completeExceptionally(new UnavailableException("no node"));
    assertThat(first).isCompletedExceptionally();
    answer(1);
    assertThat(second).isCompleted();
    assertThat(third).isCompleted();
  }

  @Test
  void aThrowingRequestFailsItsItems() {
    Joiner<String, Integer> broken =
        new Joiner<>(
            (key, items) -> {
              throw new IllegalStateException("closed");
            },
            Integer::longValue,
            SIZE_MAX);
    for (int i = 0; i < 3; i++) {
      assertThat(broken.add("a", 1, Runnable::run).toCompletableFuture())
          .isCompletedExceptionally();
    }
  }

  /** No caller waits for ever when the store closes. */
  @Test
  void itemsFailIfTheExecutorRefusesThem() {
    List<CompletableFuture<Void>> added = new ArrayList<>();
    for (int item : new int[] {1, 9, 9, 2}) {
      added.add(
          joiner
              .add(
                  "a",
                  item,
                  work -> {
                    throw new RejectedExecutionException("shut down");
                  })
              .toCompletableFuture());
    }
    answer(0);
    assertThat(added.get(0)).as("it was sent").isCompleted();
    for (CompletableFuture<Void> each : added.subList(1, 4)) {
      assertThat(each).isDone();
      assertThatThrownBy(each::join)
          .hasCauseInstanceOf(UnavailableException.class)
          .hasMessageContaining("closed");
    }
    add("a", 5);
    assertThat(items()).as("nothing blocks the key").containsExactly(List.of(1), List.of(5));
  }

  /** For any order of completions, each item is sent once, in order, with one request at a time. */
  @Test
  void concurrentThreadsSendEachItemOnceInOrder() throws InterruptedException {
    int threads = 4;
    int items = Tier.length(1_000, 3_000, 100_000);
    Random random = Seed.random(this);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    Map<String, AtomicInteger> underWay = new HashMap<>();
    Map<String, List<Integer>> taken = new HashMap<>();
    for (int key = 0; key < 3; key++) {
      underWay.put("key " + key, new AtomicInteger());
      taken.put("key " + key, Collections.synchronizedList(new ArrayList<>()));
    }
    AtomicInteger overlaps = new AtomicInteger();
    Joiner<String, Integer> shared =
        new Joiner<>(
            (key, group) -> {
              overlaps.addAndGet(underWay.get(key).getAndIncrement());
              taken.get(key).addAll(group);
              CompletableFuture<Void> answer = new CompletableFuture<>();
              Runnable done =
                  () -> {
                    underWay.get(key).decrementAndGet();
                    if (group.get(0) % 7 == 0) {
                      answer.completeExceptionally(new UnavailableException("at random"));
                    } else {
                      answer.complete(null);
                    }
                  };
              if (ThreadLocalRandom.current().nextInt(3) == 0) {
                done.run();
              } else {
                pool.execute(done);
              }
              return answer;
            },
            item -> 1 + item % 5,
            SIZE_MAX);
    List<CompletableFuture<Void>> answers = Collections.synchronizedList(new ArrayList<>());
    List<Thread> callers = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      int from = thread * items;
      long seed = random.nextLong();
      Thread caller =
          new Thread(
              () -> {
                Random mine = new Random(seed);
                for (int i = 0; i < items; i++) {
                  String key = "key " + mine.nextInt(3);
                  answers.add(shared.add(key, from + i, pool).toCompletableFuture());
                }
              });
      caller.start();
      callers.add(caller);
    }
    for (Thread caller : callers) {
      caller.join();
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> answers.stream().allMatch(CompletableFuture::isDone));
    pool.shutdown();
    assertThat(overlaps).hasValue(0);
    List<Integer> all = taken.values().stream().flatMap(List::stream).sorted().toList();
    assertThat(all).hasSize(threads * items).doesNotHaveDuplicates();
    for (List<Integer> ofKey : taken.values()) {
      for (int thread = 0; thread < threads; thread++) {
        int from = thread * items;
        assertThat(ofKey.stream().filter(item -> item / items == from / items).toList())
            .as("those of one caller")
            .isSorted();
      }
    }
  }
}
