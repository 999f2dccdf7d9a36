package hourglass.store.embedded.firsttimes;

import hourglass.access.SharedRoom;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The first times that were found within a part of the window, and are forgotten together. The
 * client of each is not kept: the number of each client's events is enough to release them. Not
 * thread-safe.
 */
final class FirstTimeGeneration {
  final long number;
  final FirstTimeTable table = new FirstTimeTable();
  final FirstTimeFile file;
  private final SharedRoom room;

  /** The number of events by the client that sent them first, as the room counts them. */
  private final Map<Object, Integer> held = new HashMap<>();

  long beganMillis;
  long endedMillis;

  FirstTimeGeneration(StoreFiles files, SharedRoom room, long number, long beganMillis) {
    this.number = number;
    this.room = room;
    this.file = new FirstTimeFile(files.firstTimes(number), number);
    this.beganMillis = beganMillis;
    this.endedMillis = beganMillis;
  }

  /** Reads the file, which does not contain clients. */
  void load() throws IOException {
    file.load(
        (millis, times) -> {
          beganMillis = table.size() == 0 ? millis : beganMillis;
          endedMillis = millis;
          for (int i = 0; i < times.size(); i++) {
            int slot = put(times.lsb(i), times.more(i), times.ticks(i), SharedRoom.NOBODY);
            table.setInFile(slot, true);
          }
        });
  }

  /** Puts an event, and returns its slot, which is valid until the next event is put. */
  int put(long lsb, long more, long ticks, Object holder) {
    int before = table.size();
    int slot = table.put(lsb, more, ticks);
    if (table.size() > before) {
      room.add(holder, 1);
      held.merge(holder, 1, Integer::sum);
    }
    return slot;
  }

  long ticks(long lsb, long more) {
    return table.ticks(table.find(lsb, more));
  }

  int held(Object holder) {
    return held.getOrDefault(holder, 0);
  }

  /** Returns the room of all events, once they are forgotten. */
  void release() {
    held.forEach(room::release);
  }

  boolean isEmpty() {
    return table.size() == 0 && file.bytes() == 0;
  }
}
