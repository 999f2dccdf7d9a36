package hourglass.store.embedded.firsttimes;

import hourglass.access.SharedRoom;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * First times that were found within a part of the window, and are forgotten together. Who has sent
 * each is not kept: how many are whose is enough to release them. Not thread-safe.
 */
final class FirstTimeGeneration {
  final long number;
  final FirstTimeTable table = new FirstTimeTable();
  final FirstTimeFile file;
  private final SharedRoom room;

  /** Events by the client that sent them first, as its room counts them. */
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

  /** Reads the file, which does not tell clients. */
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

  /** Returns the event's slot, which is valid until the next one is put. */
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

  /** Gives back the room of all, once they are forgotten. */
  void release() {
    held.forEach(room::release);
  }

  boolean isEmpty() {
    return table.size() == 0 && file.bytes() == 0;
  }
}
